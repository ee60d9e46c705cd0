# Sourced by ./test: the public MCP clients that tests/conformance drives Handrail with, and a Node.js that runs them.

node_is_recent() { command -v node >/dev/null && (($(node -p 'process.versions.node.split(".")[0]') >= 20)); }

# Debian 12's own Node.js is older than the clients need; npm has it as a package.
if [[ -x build/node/node_modules/.bin/node ]]; then
  export PATH=$PWD/build/node/node_modules/.bin:$PATH
elif ! node_is_recent; then
  quietly build/node-install.log "Fetching Node.js 22 into build/node" npm install --no-audit --no-fund --prefix build/node node@22
  export PATH=$PWD/build/node/node_modules/.bin:$PATH
fi

# Without a lock file: those of one npm release are refused by another one over optional packages.
clients=tests/conformance
if [[ ! $clients/node_modules/.fetched -nt $clients/package.json ]]; then
  quietly build/npm.log "Fetching the MCP clients into $clients/node_modules" \
    npm install --no-audit --no-fund --no-package-lock --ignore-scripts --prefix "$clients"
  touch "$clients/node_modules/.fetched"
fi
