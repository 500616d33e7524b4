# A network of the size of the row `topology` in mininet: a bridge for each node with its hosts, and one bridge between them.
# `python3 mininet.py NODES HOSTS`, in its own network namespace, prints the milliseconds until all interfaces are up.
import sys
import time

from mininet.net import Mininet
from mininet.nodelib import LinuxBridge

# the limits that mininet sets otherwise are those of the whole host
Mininet.inited = True

nodes, hosts = (int(word) for word in sys.argv[1:])
start = time.monotonic()
net = Mininet(switch=LinuxBridge, controller=None, ipBase="10.244.0.0/16")
fabric = net.addSwitch("s0")
switches = [net.addSwitch(f"s{node + 1}") for node in range(nodes)]
for switch in switches:
    net.addLink(switch, fabric)
for host in range(hosts):
    net.addLink(net.addHost(f"h{host}"), switches[host % nodes])
net.start()
milliseconds = (time.monotonic() - start) * 1000

lost = net.ping([net.hosts[0], net.hosts[-1]], timeout="30")
net.stop()
if lost > 0:
    sys.exit("the first and the last host do not reach each other")
print(milliseconds)
