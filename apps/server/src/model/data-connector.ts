/**
 * A *data connector* is a Model Context Protocol (MCP) server that an admin has added to the organization. Its *tools* are given to
 * the model agent along with the built-in ones.
 *
 * - It is reached over HTTP (the protocol's "Streamable HTTP"), through the `fetch` that restricts where agents may connect. Local
 *   programs are not supported, because an organization's admin could then run code on the operator's machine.
 * - Its *headers*, such as an API key, are encrypted for the connector and the *origin* of its URL. They are sent only there, and
 *   never shown.
 * - Everything it says is external data: bounded in size and time, and never an instruction to the service. It cannot call back.
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

/** The list of an organization is never paginated, and an agent opens all of its connectors. */
export const connectorsMax = 20
