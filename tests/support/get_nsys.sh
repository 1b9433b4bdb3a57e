#!/bin/bash
# Unpacks Nsight Systems from Debian's packages (section non-free, 170 MB) into FOLDER, where `nsys` is then the program; installs
# nothing. What FOLDER holds already stays.
set -euo pipefail

folder=$(realpath -m "${1:?usage: get_nsys.sh FOLDER}")
[[ -x $folder/nsys ]] && exit 0
new=$folder.new
rm -rf "$new"
mkdir -p "$new/lists/partial" "$new/archives/partial" "$new/tree"

# This machine's own sources, with that section.
apt-get indextargets --format "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \$(SITE) \$(RELEASE) non-free main" \
  'Created-By: Packages' 'Component: main' | sort -u | grep -v -e -security -e -updates > "$new/sources.list"
apt=(-qq -o "Dir::Etc::sourcelist=$new/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$new/lists" -o "Dir::Cache=$new" -o APT::Sandbox::User=root)
apt-get "${apt[@]}" update
cd "$new/archives"
apt-get "${apt[@]}" download nsight-systems nsight-systems-target libssh-4
for package in *.deb; do dpkg -x "$package" "$new/tree"; done

# The two packages are to lie side by side, and one looks for its library by the name of a development package.
libraries=$(dirname "$new"/tree/usr/lib/*/nsight-systems)
for host in "$new"/tree/usr/lib/nsight-systems/host-linux-*; do
  ln -s "../../nsight-systems/$(basename "$host")" "$libraries/nsight-systems/"
done
ln -s libssh.so.4 "$libraries/libssh.so"

cat > "$new/nsys" << 'PROGRAM'
#!/bin/bash
here=$(dirname "$(realpath "$0")")
libraries=$(dirname "$here"/tree/usr/lib/*/nsight-systems)
LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$libraries"/nsight-systems/target-linux-*/nsys "$@"
PROGRAM
chmod +x "$new/nsys"
rm -rf "$new/archives" "$new/lists"
rm -rf "$folder"
mv "$new" "$folder"
