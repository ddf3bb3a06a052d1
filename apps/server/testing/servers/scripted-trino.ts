import { type HttpAnswer, type HttpRequestSeen, startScriptedHttp } from './scripted-http.ts'

/** Undefined for what every server answers: transactions and the check of the catalog. */
export type Script = (request: HttpRequestSeen, base: string) => HttpAnswer | Promise<HttpAnswer> | undefined

/** The statement protocol on loopback, answering as scripted. */
export const startScriptedTrino = (script: Script) =>
  startScriptedHttp(async (request) => (await script(request, `http://${request.headers.host}`)) ?? usual(request))

function usual({ method, body }: HttpRequestSeen): HttpAnswer {
  if (method === 'POST' && body.startsWith('START TRANSACTION')) {
    return { headers: { 'x-trino-started-transaction-id': 'transaction-1' }, body: {} }
  }
  const columns = [{ name: 'schema_name', type: 'varchar' }]
  if (method === 'POST' && body.startsWith('SELECT schema_name')) return { body: { columns, data: [['shop']] } }
  return { body: {} }
}
