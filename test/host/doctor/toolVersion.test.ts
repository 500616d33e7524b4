import t from 'tap'
import { versionIn } from '../../../src/host/doctor/toolFindings.js'

t.test("the version is the tool's own", async (t) => {
  const texts: readonly [string, string][] = [
    [
      'modprobe: FATAL: Module ip_vs not found in directory /lib/modules/6.18.4-cloud\nipvsadm v1.31 2019/12/24 (compiled with popt and IPVS v1.2.1)',
      '1.31',
    ],
    ['ip utility, iproute2-6.1.0, libbpf 1.1.0', '6.1.0'],
    ['iptables v1.8.9 (nf_tables)', '1.8.9 (nf_tables)'],
    ['OpenBSD netcat (Debian patchlevel 1.219-1)\nusage: nc [-46CDdFhklNnrStUuvZz]', '1.219-1'],
    ['kmod version 30\n+ZSTD +XZ', '30'],
    ['ping from iputils 20221126', '20221126'],
  ]
  for (const [text, version] of texts) t.equal(versionIn(text), version)
})
