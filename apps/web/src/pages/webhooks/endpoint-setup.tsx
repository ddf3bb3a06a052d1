import type { Endpoint } from '../../api/webhook-endpoints.ts'
import { Card } from '../../ui/card.tsx'
import { Hint } from '../../ui/notice.tsx'
import { SecretCard } from './secret-card.tsx'
import { TestEvent } from './test-event.tsx'
import { VerificationSnippet } from './verification-snippet.tsx'

/** The three steps from a new endpoint to its first verified event. */
export function EndpointSetup({ endpoint, isNew }: { endpoint: Endpoint; isNew: boolean }) {
  return (
    <div className="grid grid-cols-1 gap-4">
      {isNew && <Hint kind="good">Endpoint added. Follow these three steps to receive your first verified event.</Hint>}
      <SecretCard endpointId={endpoint.id} isRevealedAtFirst={isNew} />
      <Card
        title="2. Verify each request"
        description="The signature covers the raw body, so verify it before parsing. Then respond with 2xx within 10 seconds."
      >
        <VerificationSnippet endpointId={endpoint.id} />
      </Card>
      <Card
        title="3. Send a test event"
        description="Sends a sample event, even if the endpoint is disabled. The log marks it as a test."
      >
        <TestEvent endpoint={endpoint} />
      </Card>
    </div>
  )
}
