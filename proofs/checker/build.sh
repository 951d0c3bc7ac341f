#!/bin/sh
# Compiles the checker from what Rocq extracted, which is kept in the folder "extracted", and what reads files for it:
#   build.sh FOLDER PROGRAM VERSION
# All products but the program are in FOLDER. It needs Debian's ocaml-nox alone.
set -eu
sources=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
folder=$1 program=$2 version=$3
mkdir -p "$folder"
cp "$sources"/*.ml "$sources"/extracted/proved.ml "$sources"/extracted/proved.mli "$folder"
cd "$folder"
printf 'let text = "%s"\n' "$version" > version.ml
ocamlopt -ccopt -s -ccopt -Wl,-z,relro,-z,now -w +a-4-9-27-32..42-44-45-48-60-67-70 proved.mli proved.ml number.ml sha256.ml yaml.ml task_set.ml certificate.ml judge.ml system.ml \
  version.ml driver.ml -o "$program.new"
mv "$program.new" "$program"
