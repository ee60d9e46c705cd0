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

# compile FOLDER [TARGET…]: with ninja's own counter on a terminal, else one line.
compile() {
  local folder=$1
  shift
  if [[ -t 1 ]]; then
    local start
    start=$(now_ms)
    say "Building in $folder:"
    NINJA_STATUS='  [%f/%t] ' ninja -C "$folder" --quiet "$@" || fail "The build failed; its messages are above."
    say "Built in $(elapsed "$start")."
  else
    quietly "$folder/build.log" "Building in $folder" ninja -C "$folder" "$@"
  fi
}
