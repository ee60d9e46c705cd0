# Shell functions that run, test and dev share: steps with their time, quiet commands with a log.
# Sourced from the root of the repository.

say() { printf '%s\n' "$*"; }

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

now_ms() { date +%s%3N; }

# elapsed START_MS: the time since then, for people.
elapsed() {
  local ms=$(($(now_ms) - $1))
  if ((ms < 10000)); then printf '%d ms' "$ms"; else printf '%d s' "$((ms / 1000))"; fi
}

# quietly LOG WHAT COMMAND…: one line on screen; the command's own words go to the log, and are shown when it fails.
quietly() {
  local log=$1 what=$2 start
  shift 2
  mkdir -p "$(dirname "$log")"
  start=$(now_ms)
  printf '%s … ' "$what"
  if "$@" >"$log" 2>&1; then
    printf 'done (%s)\n' "$(elapsed "$start")"
  else
    printf 'failed (%s)\n' "$(elapsed "$start")"
    # Lines of template errors can be pages long.
    { grep -iE 'error|failed' "$log" | head -n 10 || true; echo '…'; tail -n 25 "$log"; } | cut -c 1-300 >&2
    fail "$what failed; the whole log is in $log"
  fi
}

# configure FOLDER PRESET [-D…]: only when the folder is new, its settings changed or CMake asks for it.
configure() {
  local folder=$1 preset=$2 wanted
  shift 2
  wanted="$preset $*"
  if [[ -f $folder/build.ninja && $(cat "$folder/.configured" 2>/dev/null) == "$wanted" ]]; then return; fi
  quietly "$folder/configure.log" "Configuring $folder" cmake --preset "$preset" -B "$folder" "$@"
  printf '%s' "$wanted" >"$folder/.configured"
}

# percents: reads ninja's lines "[done/all] …" and prints a line at every tenth of the way.
percents() {
  local line next=10 part
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    part=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
    if ((part < next || part == 100)); then continue; fi
    printf '  %d%% (%d of %d)\n' "$((part / 10 * 10))" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    next=$((part / 10 * 10 + 10))
  done
}

# compile FOLDER [TARGET…]: with ninja's own counter on a terminal, else a line at every tenth of the way. The first
# build takes minutes.
compile() {
  local folder=$1
  shift
  local start
  start=$(now_ms)
  say "Building in $folder:"
  if [[ -t 1 ]]; then
    # Without --quiet, which would take the counter away too; a terminal shows it in one line that moves.
    NINJA_STATUS='  [%f/%t] ' ninja -C "$folder" "$@" || fail "The build failed; its messages are above."
  elif ! NINJA_STATUS='[%f/%t] ' ninja -C "$folder" "$@" 2>&1 | tee "$folder/build.log" | percents; then
    { grep -iE 'error|failed' "$folder/build.log" | head -n 10 || true; echo '…'; tail -n 25 "$folder/build.log"; } |
      cut -c 1-300 >&2
    fail "The build failed; the whole log is in $folder/build.log"
  fi
  say "Built in $(elapsed "$start")."
}
