# vethlab with everything that it needs:
#   docker build -t vethlab .
#   docker run --rm -it --privileged vethlab run nodeport
# docs/ci.md lists the options that can replace --privileged. Behind a proxy with its own CA, or with another npm registry:
#   docker build --secret id=ca,src=ca.pem --secret id=npmrc,src=$HOME/.npmrc -t vethlab .
# Debian 13 has a recent Node; any other Debian-based image that has one, or has it in its packages, works too.
ARG BASE=debian:trixie-slim

FROM ${BASE} AS tools
ENV DEBIAN_FRONTEND=noninteractive
WORKDIR /opt/vethlab
# tini is the first process: it reaps orphans and forwards signals.
RUN { command -v node && command -v tini; } >/dev/null || { apt-get -qq update && \
  apt-get -qq -y install --no-install-recommends nodejs tini && rm -rf /var/lib/apt/lists/*; }
# The packages depend only on these files, so that they stay cached when the sources change.
COPY scripts/setup.mjs scripts/setup.mjs
COPY scripts/setup scripts/setup
COPY src/host/doctor/requirements.json src/host/doctor/requirements.json
RUN node scripts/setup.mjs tools && rm -rf /var/lib/apt/lists/*

# `vethlab ci` sends its own build; for a checkout the build is made here.
FROM tools AS build
COPY . .
RUN --mount=type=secret,id=ca --mount=type=secret,id=npmrc,target=/root/.npmrc \
  if test -f /run/secrets/ca; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi; \
  test -f dist/cli.cjs || { { command -v npm >/dev/null || { apt-get -qq update && \
  apt-get -qq -y install --no-install-recommends npm ca-certificates; }; } && node scripts/setup.mjs dist; }

FROM tools
COPY --from=build /opt/vethlab/package.json package.json
COPY --from=build /opt/vethlab/dist dist
COPY --from=build /opt/vethlab/labs labs
ENTRYPOINT ["tini", "-s", "--", "node", "/opt/vethlab/dist/cli.cjs"]
CMD ["--help"]
