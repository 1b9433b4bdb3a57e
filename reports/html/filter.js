// Opens all that is folded while the page is printed. Hides the rows of the report's tables that do not hold every word of the filter; a row also has the words of its group's heading.
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
  const folded = [...document.querySelectorAll("details:has(table.filtered)")];
  let filtered = false;
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
    if (words.length > 0 && !filtered) for (const part of folded) part.wasOpen = part.open;
    for (const part of folded) {
      if (words.length > 0) part.open = part.querySelector("tbody tr:not([hidden], .group)") !== null;
      else if (filtered) part.open = part.wasOpen;
    }
    filtered = words.length > 0;
    said.textContent = words.length ? `${shown.toLocaleString("en")} of ${all.toLocaleString("en")} rows` : "";
  };
  input.addEventListener("input", apply);
  document.getElementById("filter-box").hidden = false;
})();
(() => {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const part of opened) part.open = true;
  });
  addEventListener("afterprint", () => {
    for (const part of opened) part.open = false;
  });
})();
