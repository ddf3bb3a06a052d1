import { newId, shortId } from './list-routes.ts'
import type { Probe } from './probe-lists.ts'

const endpoint = `/app/api/webhook-endpoints/${newId('we', 100)}`
const busyEndpoint = `/app/api/webhook-endpoints/${newId('we', 110)}`
const disabledEndpoint = `/app/api/webhook-endpoints/${newId('we', 109)}`
const log = `${endpoint}/deliveries?limit=20`
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString()

const get = (what: string, url: string | (() => string)): Probe => ({
  what,
  act: (site) => site.get(typeof url === 'string' ? url : url()),
})

/** Searches, filters, cards and pages of usage. */
export const requestProbes: Probe[] = [
  get('search for a word of every query', '/app/api/search?q=customer'),
  get('search for a rare word', '/app/api/search?q=refunds'),
  get('queries with a word that all have, newest first', '/app/api/references?search=customer&limit=20'),
  get('queries with a rare word', '/app/api/references?search=refunds&limit=20'),
  get('queries with words that none has together', '/app/api/references?search=customer%20nowhere&limit=20'),
  get('best matches of a word that all have', '/app/api/references/best?search=customer'),
  get('queries of a folder', `/app/api/references?folder=${newId('folder', 102)}&limit=20`),
  get('queries with a tag', '/app/api/references?tag=tag%201&limit=20'),
  get('own queries', '/app/api/references?createdBy=me&limit=20'),
  get('queries of a database', `/app/api/references?database=${newId('db', 11)}&limit=20`),
  get('a query', `/app/api/references/${shortId('ref', 1)}`),
  get('an automation', `/app/api/automations/${newId('automation', 1)}`),
  get('health of all endpoints', '/app/api/webhook-endpoints'),
  get('an endpoint', endpoint),
  get('chart of an endpoint, a day', `${busyEndpoint}/series?period=day`),
  get('chart of an endpoint, a week', `${busyEndpoint}/series?period=week`),
  ...['pending', 'delivered', 'exhausted', 'held'].map((state) => get(`delivery log, ${state}`, `${log}&state=${state}`)),
  get('delivery log of a disabled endpoint, held', `${disabledEndpoint}/deliveries?limit=20&state=held`),
  get('delivery log, an event type', `${log}&eventType=query.run.completed`),
  get('delivery log, an event type that it does not get', `${busyEndpoint}/deliveries?limit=20&eventType=reference.changed`),
  get('delivery log, an event type and a state', `${log}&eventType=query.run.completed&state=exhausted`),
  get('delivery log, before yesterday', () => `${log}&to=${yesterday()}`),
  get('delivery log, since yesterday', () => `${log}&from=${yesterday()}`),
  get('delivery log, an id that does not exist', `${log}&search=${newId('evt', 0)}`),
  get('audit log, a person', `/app/api/audit-log?limit=20&actor=${newId('user', 1002)}`),
  get('audit log, an action', '/app/api/audit-log?limit=20&action=api_key.created'),
  get('audit log, a person and an action that never happened', `/app/api/audit-log?limit=20&actor=${newId('user', 1002)}&action=member.left`),
  get('audit log, a subject', `/app/api/audit-log?limit=20&subject=${newId('ref', 1)}`),
  get('audit log, before yesterday', () => `/app/api/audit-log?limit=20&to=${yesterday()}`),
  get('usage of the model', '/app/api/model-usage?days=30'),
  get('usage of keys', '/app/api/audit-log/key-use?days=7'),
  get('usage of kept results', '/app/api/result-history'),
]
