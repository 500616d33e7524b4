/** A Deployment of one pod, and its Service in both families where the lab has both. */
export const webManifest = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx, ports: [{ containerPort: 80 }] }] }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  ipFamilyPolicy: PreferDualStack
  selector: { app: web }
  ports: [{ port: 80 }]
`
