import type { CreatedWebhookEndpoint, WebhookEndpoint, WebhookSecrets } from '../generated/schemas.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation, type ChangeOptions, type Input } from '../operation.ts'
import type { CallOptions, Transport, WriteOptions } from '../transport.ts'

/** URLs that receive events as signed requests. For admins. */
export interface WebhookEndpoints {
  /** All of them, newest first, without their secrets. */
  list(options?: ListOptions): List<WebhookEndpoint>
  get(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint>
  /** The answer has the secret that signs. Store it. */
  create(input: Input<'webhookEndpoints.create'>['body'], options?: WriteOptions): Promise<CreatedWebhookEndpoint>
  update(endpointId: string, changes: NonNullable<Input<'webhookEndpoints.update'>['body']>, options?: ChangeOptions): Promise<WebhookEndpoint>
  delete(endpointId: string, options?: ChangeOptions): Promise<WebhookEndpoint>
  /** Creates the next secret or, with `activate`, makes it sign. */
  rotateSecret(endpointId: string, input?: Input<'webhookEndpoints.rotateSecret'>['body'], options?: WriteOptions): Promise<WebhookSecrets>
}

export function makeWebhookEndpoints(transport: Transport): WebhookEndpoints {
  return {
    list: (given = {}) =>
      makeList({ given, fetchPage: (query, options) => callOperation(transport, 'webhookEndpoints.list', { query }, options) }),
    get: (id, options) => callOperation(transport, 'webhookEndpoints.get', { params: { id } }, options),
    create: (body, options) => callOperation(transport, 'webhookEndpoints.create', { body }, options),
    update: (id, body, options) => callOperation(transport, 'webhookEndpoints.update', { params: { id }, body }, options),
    delete: (id, options) => callOperation(transport, 'webhookEndpoints.delete', { params: { id } }, options),
    rotateSecret: (id, body = {}, options) =>
      callOperation(transport, 'webhookEndpoints.rotateSecret', { params: { id }, body }, options),
  }
}
