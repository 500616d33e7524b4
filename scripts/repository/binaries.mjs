/** The only files that may be binary: recorded packets. */
const allowed = [/^test\/golden\/.*\.pcap$/]

/** Packages, archives, programs: never committed, whatever they contain. */
const forbidden = /\.(deb|rpm|apk|zip|tar|t?gz|xz|bz2|zst|exe|so|dll|node|wasm|jar|img|iso|qcow2)$/

/**
 * Which files are binaries that do not belong in the repository.
 * @param {readonly { path: string, data: Buffer }[]} files
 * @returns {string[]}
 */
export function strayBinaries(files) {
  return files
    .filter(({ path, data }) => forbidden.test(path) || data.subarray(0, 8000).includes(0))
    .filter(({ path }) => !allowed.some((one) => one.test(path)))
    .map(({ path }) => `${path}: a binary file; only test/golden/**/*.pcap may be one`)
}
