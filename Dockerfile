# Porchlight in a container: docker build -t porchlight .
# docs/operations/deploy.md tells how it is run.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY tools/node24/package.json ./tools/node24/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The image has its own Node 24; what only development needs stays here.
RUN node tools/build.ts \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && find src -name '*.test.ts' -delete \
  && rm -rf src/server/testing src/server/system-tests

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
# docs/operations/sizing.md, "Memory"
ENV NODE_OPTIONS=--max-semi-space-size=8
WORKDIR /app
# Root's, so that the server cannot change what it runs.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/src ./src
# What the "$schema" of a porchlight.json leads to.
COPY docs/porchlight.schema.json ./docs/
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD \
  ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1: it drains at SIGTERM and ends with 0.
CMD ["node", "dist/server/main.js"]
