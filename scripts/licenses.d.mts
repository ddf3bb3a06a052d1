export interface Component {
  /** The name and version, as `fastify@5.0.0`. */
  'bom-ref': string
  licenses?: { expression?: string; license?: { id?: string; name?: string } }[]
}
export function findLicenseFault(component: Component): string | undefined
