import type { Endpoint } from '../../api/webhook-endpoints.ts'
import { Card } from '../../ui/card.tsx'
import { Hint } from '../../ui/notice.tsx'
import { SecretCard } from './secret-card.tsx'
import { TestEvent } from './test-event.tsx'
import { VerificationSnippet } from './verification-snippet.tsx'

/** From a new endpoint to the first event that a receiver trusts, in the order in which one does it. */
export function EndpointSetup({ endpoint, isNew }: { endpoint: Endpoint; isNew: boolean }) {
  return (
    <div className="grid grid-cols-1 gap-4">
      {isNew && <Hint kind="good">The endpoint is there. Three steps lead to the first event that your program trusts.</Hint>}
      <SecretCard endpointId={endpoint.id} isRevealedAtFirst={isNew} />
      <Card
        title="2. Verify each request"
        description="The signature covers the raw body, so verify before anything parses it. Then answer 2xx within 10 seconds."
      >
        <VerificationSnippet endpointId={endpoint.id} />
      </Card>
      <Card
        title="3. Send a test event"
        description="A sample goes out like a real event, also to a disabled endpoint. The log marks it as a test."
      >
        <TestEvent endpoint={endpoint} />
      </Card>
    </div>
  )
}
