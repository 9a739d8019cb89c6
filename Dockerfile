# The image holds the product, what it cannot do without, and Node.js: no shell, no package manager, no root.
#   docker build -t audition .
#   docker run --rm -v audition:/data -v ./tools:/tools:ro audition index /tools
#   docker run -d -p 7333:7333 -v audition:/data -e AUDITION_TOKEN audition

FROM node:22-trixie AS build
WORKDIR /src
COPY . .
# Symbols of the store's library are a sixth of it, and nobody debugs it here.
RUN npm ci --ignore-scripts --no-audit --no-fund \
 && npm run --silent build \
 && npm run --silent stage -- /app \
 && strip --strip-unneeded /app/node_modules/@lancedb/lancedb-*/*.node \
 && mkdir /data

FROM gcr.io/distroless/nodejs22-debian13:nonroot
LABEL io.modelcontextprotocol.server.name="io.github.audition-mcp/audition" \
      org.opencontainers.image.source="https://github.com/audition-mcp/audition" \
      org.opencontainers.image.licenses="MIT"
# All that is written lies in /data, so that the rest can be read-only: the store, caches, and what the database spills.
ENV NODE_ENV=production AUDITION_HOME=/data/store AUDITION_SETTINGS=/data/settings.yaml HOME=/data TMPDIR=/data
WORKDIR /app
COPY --from=build /app /app
COPY --from=build --chown=65532:65532 /data /data
VOLUME /data
USER 65532:65532
EXPOSE 7333
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["/nodejs/bin/node", "-e", "fetch('http://127.0.0.1:7333/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node", "/app/dist/cli/main.js"]
# An address that others reach wants a token: without AUDITION_TOKEN the server says so and does not start.
CMD ["serve", "--http", "7333", "--host", "0.0.0.0"]
