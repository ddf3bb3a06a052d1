import { type AddressInfo, createServer } from 'node:net'

/** Distinct unused loopback ports. They are probed together, so that none is returned twice. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = await Promise.all(
    Array.from({ length: count }, () => {
      const probe = createServer()
      return new Promise<typeof probe>((resolve, reject) => {
        probe.once('error', reject)
        probe.listen(0, '127.0.0.1', () => resolve(probe))
      })
    }),
  )
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port)
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))))
  return ports
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  return port!
}
