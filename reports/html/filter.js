// Hides the rows of the report's tables that do not hold every word of the filter; a row also has the words of its group's heading.
(() => {
  const input = document.getElementById("filter");
  const said = document.getElementById("filter-said");
  const bodies = [...document.querySelectorAll("table.filtered tbody")].map((body) => {
    const heading = body.querySelector("tr.group");
    const context = heading ? heading.textContent : "";
    const rows = [];
    for (const row of body.rows) {
      if (row === heading) continue;
      if (!row.classList.contains("of-above")) rows.push({ parts: [], text: context.toLowerCase() });
      const last = rows.at(-1);
      last.parts.push(row);
      last.text += ` ${row.textContent.toLowerCase()}`;
    }
    return { heading, rows };
  });
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    let all = 0;
    for (const { heading, rows } of bodies) {
      let kept = 0;
      for (const { parts, text } of rows) {
        const hidden = !words.every((word) => text.includes(word));
        for (const row of parts) row.hidden = hidden;
        kept += hidden ? 0 : 1;
      }
      if (heading) heading.hidden = kept === 0;
      shown += kept;
      all += rows.length;
    }
    said.textContent = words.length ? `${shown.toLocaleString("en")} of ${all.toLocaleString("en")} rows` : "";
  };
  input.addEventListener("input", apply);
  document.getElementById("filter-box").hidden = false;
})();
