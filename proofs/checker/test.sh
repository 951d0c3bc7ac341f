#!/bin/bash
# Tests of the extracted checker: test.sh PROGRAM FOLDER. The first line of every file says what is expected of it:
#   verified           exit status 0, last line "verified"
#   verified, least    also: with any one bound lowered by 1 it is not
#   not verified       exit status 1
#   line N: TEXT       exit status 2 with that message
set -u
program=$1 folder=$2
passed=0 failed=0
copy=$(mktemp) || exit 1
trap 'rm -f "$copy"' EXIT

result() {
  if [ "$1" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); printf 'FAILED %s: %s\n' "$2" "$3"; fi
}

# verdict FILE: sets status and output.
verdict() { output=$("$program" "$1" 2>&1); status=$?; }

for file in "$folder"/*.txt; do
  name=$(basename "$file" .txt)
  expected=$(sed -n '1s/^# expect: //p' "$file")
  verdict "$file"
  case $expected in
    verified*)
      if [ $status = 0 ] && [ "$(tail -n 1 <<< "$output")" = verified ]; then result ok; else result no "$name" "$output"; fi
      ;;
    "not verified")
      if [ $status = 1 ] && [ "$(tail -n 1 <<< "$output")" = "not verified" ]; then result ok; else result no "$name" "$output"; fi
      ;;
    line*)
      line=${expected#line } text=${expected#line *: }
      if [ $status = 2 ] && [ "$output" = "$file:${line%%:*}: $text" ]; then result ok; else result no "$name" "$output"; fi
      ;;
    *) result no "$name" "its first line does not say what is expected" ;;
  esac
  if [ "$expected" = "verified, least" ]; then
    while read -r node; do
      awk -v node="$node" '$1 == "node" && $2 == node { $9 = $9 - 1 } { print }' "$file" > "$copy"
      verdict "$copy"
      if [ $status = 1 ]; then result ok; else result no "$name" "still verified with the bound of node $node lowered by 1"; fi
    done < <(awk '$1 == "node" { print $2 }' "$file")
  fi
done
printf 'checker: %s passed, %s failed\n' "$passed" "$failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
