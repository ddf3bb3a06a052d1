import { signatureHeaders } from '@querypost/webhooks'
import { type CapturedRequest, utf8 } from '../src/verify/captured-request.ts'

/** Secrets of 32 bytes for tests. */
export const secretA = `whsec_${Buffer.alloc(32, 'a~').toString('base64')}`
export const secretB = `whsec_${Buffer.alloc(32, 'b').toString('base64')}`
export const sentAt = new Date('2026-03-01T12:00:00.000Z')

export const event = {
  id: 'evt_completed',
  type: 'automation.run.completed',
  createdAt: '2026-03-01T11:59:59.500Z',
  data: {
    automationId: 'auto_1',
    automationName: 'Wöchentliche Bestellungen <Süd>',
    runId: 'arun_1',
    summary: 'Orders rose by 3 % – €12.',
    chatUrl: 'https://querypost.example.com/chats/abc',
    imageUrl: null,
  },
}
export const sentBody = JSON.stringify(event)

/** A captured genuine request. */
export async function capture(options: { body?: string; secret?: string; id?: string } = {}): Promise<CapturedRequest> {
  const { body = sentBody, secret = secretA, id = event.id } = options
  const headers = await signatureHeaders({ id, body, secret, sentAt })
  return { headers: [['content-type', 'application/json'], ...Object.entries(headers)], body: utf8(body), notes: [] }
}
