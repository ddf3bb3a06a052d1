/** Links to the pages of the objects in a response. */
export const linksAt = ({ baseUrl }: { baseUrl: string }) => ({
  reference: (shortId: string) => `${baseUrl}/q/${shortId}`,
  query: (queryId: string) => `${baseUrl}/queries/${queryId}`,
  run: (runId: string) => `${baseUrl}/runs/${runId}`,
  automation: (automationId: string) => `${baseUrl}/automations/${automationId}`,
  board: (shortId: string) => `${baseUrl}/b/${shortId}`,
  chat: (shortId: string) => `${baseUrl}/chats/${shortId}`,
  endpoint: (endpointId: string) => `${baseUrl}/settings/webhooks/${endpointId}`,
  database: (configId: string) => `${baseUrl}/databases/${configId}`,
})
