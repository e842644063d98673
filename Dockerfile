# syntax=docker/dockerfile:1
# docker build -t loadout .
# docker run --rm --read-only --tmpfs /tmp --tmpfs /cache -v "$PWD:/repo:ro" --user "$(id -u):$(id -g)" loadout map
FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm pack --silent --ignore-scripts --pack-destination /tmp \
  && npm install --global --prefix /opt/loadout --omit=dev --no-audit --no-fund /tmp/loadout-*.tgz

FROM node:22-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir /repo /cache \
  && chmod 1777 /cache
COPY --from=build /opt/loadout /opt/loadout
# Everything that Loadout writes goes to /cache and /tmp, so the root file system may be read-only.
ENV PATH=/opt/loadout/bin:$PATH \
  LOADOUT_CACHE_DIR=/cache \
  LOADOUT_CONFIG_DIR=/cache/config \
  HOME=/tmp \
  TMPDIR=/tmp
USER node
WORKDIR /repo
VOLUME /cache
# Asks /health of the server that "loadout serve" runs here, with the token that only its user can read. Other commands
# have no server: run them with --no-healthcheck.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "const { port, token } = JSON.parse(require('fs').readFileSync(process.env.LOADOUT_CACHE_DIR + '/server.json')); fetch('http://127.0.0.1:' + port + '/health', { headers: { authorization: 'Bearer ' + token } }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["loadout"]
CMD ["--help"]
