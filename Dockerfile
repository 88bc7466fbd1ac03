# Porchlight in a container: docker build -t porchlight:0.2.0 .
# docs/operations/deploy.md tells how it is run.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY tools/start/package.json ./tools/start/
RUN npm ci --workspace tools/start --ignore-scripts --no-audit --no-fund
COPY . .
# The image has its own Node 24; what only development needs stays here.
RUN node tools/build.ts && npm prune --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund

FROM node:24-slim
# Nothing is installed in the image.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* \
  /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
# docs/operations/sizing.md, "Memory"
ENV NODE_OPTIONS=--max-semi-space-size=8
WORKDIR /app
# Root's, so that the server cannot change what it runs.
COPY LICENSE ./
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# RUN_TIME_FILES of tools/release.ts
COPY docs/porchlight.schema.json ./docs/
COPY src/portal/assets/subtenants ./src/portal/assets/subtenants
COPY src/server/db/migrations ./src/server/db/migrations
COPY src/server/notifications/porch.png ./src/server/notifications/
COPY src/server/proofs/password/common-passwords.bin ./src/server/proofs/password/
RUN printf '#!/bin/sh\nexec node /app/dist/server/cli.js "$@"\n' > /usr/local/bin/porchlight \
  && chmod 755 /usr/local/bin/porchlight
# Last, so that a new commit makes no new layer of the files.
ARG VERSION=unknown
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title=Porchlight \
  org.opencontainers.image.description="One sign-in and sign-up portal, with its own hosted login" \
  org.opencontainers.image.licenses=Apache-2.0 \
  org.opencontainers.image.version=$VERSION \
  org.opencontainers.image.revision=$REVISION \
  org.opencontainers.image.source=$SOURCE
# The user "node" of the base image, by number: Kubernetes asks whether it is root.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD \
  ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1: it drains at SIGTERM and ends with 0.
CMD ["node", "dist/server/main.js"]
