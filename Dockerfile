# vethlab with everything that it needs:
#   docker build -t vethlab .
#   docker run --rm -it --privileged vethlab run nodeport
# --privileged because a lab makes network namespaces, mounts and firewall rules, all of them inside the container.
FROM node:22-bookworm-slim

WORKDIR /opt/vethlab
# What the set-up brings depends on these alone: packages and node_modules stay cached while the sources change.
COPY package.json package-lock.json .npmrc ./
COPY scripts/setup.mjs scripts/setup.mjs
COPY scripts/setup scripts/setup
COPY src/host/doctor/requirements.json src/host/doctor/requirements.json
RUN node scripts/setup.mjs tools modules && rm -rf /var/lib/apt/lists/* /root/.npm

COPY . .
RUN node scripts/setup.mjs dist

ENTRYPOINT ["node", "/opt/vethlab/dist/cli.cjs"]
CMD ["--help"]
