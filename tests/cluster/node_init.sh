#!/bin/bash
# The first process of a node, in its own network, host name, process and mount namespaces: NAME FOLDER PROGRAM…
# FOLDER is the cluster's; the lines of FOLDER/shared are folders that every node sees. Ends when the program does.
set -e
name=$1 folder=$2
shift 2
hostname "$name"
mount --make-rprivate /
mount --bind "$folder/etc/hosts" /etc/hosts
mount --bind "$folder/etc/nsswitch.conf" /etc/nsswitch.conf # names come from the file above: nobody waits for a server
mkdir -p "$folder/private/$name/sys"
if [[ $name != controller ]]; then
  # Of this network namespace: /sys/class/net shows the machine's interfaces else. slurmd does not start without the control groups.
  mount -t sysfs sysfs "$folder/private/$name/sys"
  mount --rbind /sys/fs/cgroup "$folder/private/$name/sys/fs/cgroup"
  mount --move "$folder/private/$name/sys" /sys
  # Local to the node, as on a cluster: a program that shares by /tmp is found out. What is shared stays.
  mapfile -t shared <"$folder/shared"
  for index in "${!shared[@]}"; do
    mkdir -p "$folder/private/$name/shared$index"
    mount --rbind "${shared[index]}" "$folder/private/$name/shared$index"
  done
  mount -t tmpfs -o mode=1777 tmpfs /tmp
  mount -t tmpfs -o mode=1777 tmpfs /dev/shm
  for index in "${!shared[@]}"; do
    mkdir -p "${shared[index]}"
    mount --move "$folder/private/$name/shared$index" "${shared[index]}"
  done
fi
"$@" &
child=$!
trap 'kill -TERM $child 2>/dev/null' TERM
# As the first process it is left the ranks whose parents die, and reaps them.
while kill -0 $child 2>/dev/null; do wait -n 2>/dev/null || sleep 0.1; done
