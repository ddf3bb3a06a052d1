/**
 * A *data connector* is a server of the Model Context Protocol (MCP) that an admin has added to the organization. Its
 * *tools* are given to the model agent beside the service's own.
 *
 * - It is reached over HTTP (the protocol's "Streamable HTTP"), by the `fetch` that guards where agents may go. A
 *   program to start in its place would run on the operator's machine at the wish of an organization's admin, so there
 *   is none.
 * - Its *headers*, as an API key, are sealed for the connector and the *origin* of its URL. They are sent there and
 *   nowhere else, and are shown to nobody.
 * - What it says is data from outside: bounded in size and time, and never an instruction to the service. It cannot
 *   call back.
 */
export interface DataConnector {
  id: string
  organizationId: string
  name: string
  url: string
  headerNames: string[]
  /** Whether agents use it. */
  enabled: boolean
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

/** An organization's list is shown whole, and an agent opens them all. */
export const connectorsMax = 20
