# vethlab with everything that it needs:
#   docker build -t vethlab .
#   docker run --rm -it --privileged vethlab run nodeport
# docs/ci.md names the rights that suffice in place of --privileged. Debian 13 has a Node that is recent enough; any
# other base of Debian's kind that has one, or brings it, will do.
ARG BASE=debian:trixie-slim

FROM ${BASE} AS tools
ENV DEBIAN_FRONTEND=noninteractive
WORKDIR /opt/vethlab
# tini is the first process: it waits for orphans and hands signals on.
RUN { command -v node && command -v tini; } >/dev/null || { apt-get -qq update && \
  apt-get -qq -y install --no-install-recommends nodejs tini && rm -rf /var/lib/apt/lists/*; }
# What the set-up brings depends on these alone: the packages stay cached while the sources change.
COPY scripts/setup.mjs scripts/setup.mjs
COPY scripts/setup scripts/setup
COPY src/host/doctor/requirements.json src/host/doctor/requirements.json
RUN node scripts/setup.mjs tools && rm -rf /var/lib/apt/lists/*

# `vethlab ci` sends the build that it runs from itself; a checkout's is made here.
FROM tools AS build
COPY . .
RUN test -f dist/cli.cjs || { { command -v npm >/dev/null || { apt-get -qq update && \
  apt-get -qq -y install --no-install-recommends npm ca-certificates; }; } && node scripts/setup.mjs dist; }

FROM tools
COPY --from=build /opt/vethlab/package.json package.json
COPY --from=build /opt/vethlab/dist dist
COPY --from=build /opt/vethlab/labs labs
ENTRYPOINT ["tini", "-s", "--", "node", "/opt/vethlab/dist/cli.cjs"]
CMD ["--help"]
