/** What is put into one of upstream's packages so that its tests get vethlab's rules. */
export interface Hooked {
  /** `pkg/proxy/iptables` */
  readonly folder: string
  /** proxier.go with the calls of the hooks. */
  readonly proxier: string
  /** A further file of the package: the hooks. */
  readonly hooks: string
}

/** The text after which a call is put, or before which, and the call. */
interface Insertion {
  readonly at: RegExp
  readonly call: string
}

const watched: readonly Insertion[] = [
  {
    at: /(?<=func \(proxier \*Proxier\) OnServiceUpdate\(oldService, service \*v1\.Service\) \{\n)/,
    call: '\tvethlabSaw(proxier, oldService, service)\n',
  },
  ...['Add', 'Update'].map((verb) => ({
    at: new RegExp(
      `(?<=func \\(proxier \\*Proxier\\) OnEndpointSlice${verb}\\([^)]*endpointSlice \\*discovery\\.EndpointSlice\\) \\{\\n)`,
    ),
    call: '\tvethlabSawSlice(proxier, endpointSlice, false)\n',
  })),
  {
    at: /(?<=func \(proxier \*Proxier\) OnEndpointSliceDelete\(endpointSlice \*discovery\.EndpointSlice\) \{\n)/,
    call: '\tvethlabSawSlice(proxier, endpointSlice, true)\n',
  },
]

/**
 * Upstream's proxier of a mode with calls of the hooks: they see each object, and replace what the proxier has written.
 * Throws Error for a source that is not as in 1.31 to 1.36.
 */
export function hooked(mode: 'iptables' | 'nftables', source: string): Hooked {
  const full = source.includes('doFullSync :=') ? 'doFullSync' : '!tryPartialSync'
  const write: Insertion =
    mode === 'iptables'
      ? {
          at: /(?=\terr :?= proxier\.iptables\.RestoreAll\()/,
          call: `\tvethlabReplaces(proxier, ${full}, serviceUpdateResult.UpdatedServices, endpointUpdateResult.UpdatedServices)\n`,
        }
      : {
          at: /(?<=\terr = proxier\.nftables\.Run\(context\.TODO\(\), tx\)\n)(?!.*proxier\.nftables\.Run)/s,
          call: '\tif err == nil {\n\t\tvethlabReplaces(proxier)\n\t}\n',
        }
  const proxier = [...watched, write].reduce((text, { at, call }) => {
    if (!at.test(text)) throw new Error(`pkg/proxy/${mode}/proxier.go has no place for ${call.trim()}`)
    return text.replace(at, () => call)
  }, source)
  const labels = source.includes('topologyLabels') ? 'topologyLabels' : 'nodeLabels'
  const node = /\tnodeName +string/.test(source) ? 'nodeName' : 'hostname'
  return {
    folder: `pkg/proxy/${mode}`,
    proxier,
    hooks: `${common(mode, { labels, node })}\n${mode === 'iptables' ? iptables : nftables}`,
  }
}

function common(mode: string, { labels, node }: { labels: string; node: string }): string {
  const isNft = mode === 'nftables'
  return `package ${mode}

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"

	v1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
${isNft ? '' : '	"k8s.io/apimachinery/pkg/types"\n'}	"k8s.io/apimachinery/pkg/util/sets"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
${isNft ? '	"sigs.k8s.io/knftables"\n' : '	"k8s.io/kubernetes/pkg/proxy/metrics"\n	utiliptables "k8s.io/kubernetes/pkg/util/iptables"\n'})

type vethlabObjects struct {
	services map[string]*v1.Service
	slices   map[string]*discovery.EndpointSlice
}

var vethlabSeen = map[*Proxier]*vethlabObjects{}

func vethlabOf(proxier *Proxier) *vethlabObjects {
	if vethlabSeen[proxier] == nil {
		vethlabSeen[proxier] = &vethlabObjects{map[string]*v1.Service{}, map[string]*discovery.EndpointSlice{}}
	}
	return vethlabSeen[proxier]
}

func vethlabSaw(proxier *Proxier, before, after *v1.Service) {
	seen := vethlabOf(proxier).services
	if before != nil {
		delete(seen, before.Namespace+"/"+before.Name)
	}
	if after != nil {
		seen[after.Namespace+"/"+after.Name] = after
	}
}

func vethlabSawSlice(proxier *Proxier, slice *discovery.EndpointSlice, gone bool) {
	key := slice.Namespace + "/" + slice.Name
	if gone {
		delete(vethlabOf(proxier).slices, key)
	} else {
		vethlabOf(proxier).slices[key] = slice
	}
}

func vethlabInput(proxier *Proxier) map[string]any {
	seen := vethlabOf(proxier)
	services, slices := []*v1.Service{}, []*discovery.EndpointSlice{}
	for _, service := range seen.services {
		services = append(services, service)
	}
	for _, slice := range seen.slices {
		slices = append(slices, slice)
	}
	local := []string{}
	addrs, _ := proxier.networkInterfacer.InterfaceAddrs()
	for _, addr := range addrs {
		local = append(local, strings.Split(addr.String(), "/")[0])
	}
	detected := ""
	if proxier.localDetector.IsImplemented() {
		detected = strings.Join(proxier.localDetector.IfLocal${isNft ? 'NFT' : ''}(), " ")
	}
	gates := map[string]bool{}
	known := utilfeature.DefaultMutableFeatureGate.GetAll()
	for feature := range known {
		if string(feature) == "AllowServiceExternalIPs" {
			gates[string(feature)] = utilfeature.DefaultFeatureGate.Enabled(feature)
		}
	}
	return map[string]any{
		"mode": "${mode}", "family": string(proxier.ipFamily), "services": services, "endpointSlices": slices,
		"nodeName": proxier.${node}, "labels": proxier.${labels}, "nodeIP": proxier.nodeIP.String(),
		"masqueradeAll": proxier.masqueradeAll, "mark": proxier.masqueradeMark, "detected": detected,
		"nodePortAddresses": strings.Fields(strings.Trim(proxier.nodePortAddresses.String(), "[]")),
		"localAddresses": local, "gates": gates,
	}
}

func vethlabRender(input map[string]any) string {
	body, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	answer, err := http.Post(os.Getenv("VETHLAB_RENDER"), "application/json", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 200 {
		panic(string(text))
	}
	return string(text)
}
`
}

const iptables = `func vethlabReplaces(proxier *Proxier, full bool, changed ...sets.Set[types.NamespacedName]) {
	input := vethlabInput(proxier)
	input["localhostNodePorts"] = proxier.localhostNodePorts
	input["liberal"] = proxier.conntrackTCPLiberal
	input["randomFully"] = proxier.iptables.HasRandomFully()
	input["nfacct"] = proxier.nfAcctCounters[metrics.IPTablesCTStateInvalidDroppedNFAcctCounter]
	if !full {
		only := []string{}
		for _, some := range changed {
			for name := range some {
				only = append(only, name.String())
			}
		}
		input["only"] = only
	}
	// when stale chains are deleted is not a matter of rules
	if strings.Contains(string(proxier.natRules.Bytes()), "-X ") {
		saved := bytes.NewBuffer(nil)
		if err := proxier.iptables.SaveInto(utiliptables.TableNAT, saved); err == nil {
			existing := []string{}
			for chain := range utiliptables.GetChainsFromTable(saved.Bytes()) {
				existing = append(existing, string(chain))
			}
			input["existing"] = existing
		}
	}
	proxier.iptablesData.Reset()
	proxier.iptablesData.WriteString(vethlabRender(input))
}
`

const nftables = `func vethlabReplaces(proxier *Proxier) {
	fake, ok := proxier.nftables.(*knftables.Fake)
	if !ok {
		return
	}
	input := vethlabInput(proxier)
	input["serviceCIDRs"] = strings.Split(proxier.serviceCIDRs, ",")
	text := vethlabRender(input)
	// chains that a later sync deletes
	for chain := range proxier.staleChains {
		text += "add chain " + strings.Fields(text)[2] + " kube-proxy " + chain + "\\n"
	}
	family := knftables.IPv4Family
	if proxier.ipFamily == v1.IPv6Protocol {
		family = knftables.IPv6Family
	}
	replaced := knftables.NewFake(family, kubeProxyTable)
	lines := sets.List(sets.New[string]())
	for _, line := range strings.Split(text, "\\n") {
		if !strings.HasPrefix(line, "flush ") {
			lines = append(lines, line)
		}
	}
	if err := replaced.ParseDump(strings.Join(lines, "\\n")); err != nil {
		panic(err)
	}
	replaced.LastTransaction = fake.LastTransaction
	*fake = *replaced
}
`
