import { useQuery } from '@tanstack/react-query'
import { embeddingOptions } from '../../api/embedding.ts'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmbedOrigins } from './embed-origins.tsx'
import { EmbedSecrets } from './embed-secrets.tsx'

/** Everything that is needed to show queries and boards in other sites. */
export function EmbeddingCard() {
  const embedding = useQuery(embeddingOptions)
  return (
    <Card
      title="Embedding"
      description={<>Show queries and boards in your own app. Your server signs a token for each visitor. <a href="/docs/embed" className="text-accent underline">Learn more</a></>}
    >
      <Loaded query={embedding}>
        {({ origins, secrets }) => (
          <div className="grid gap-6">
            <EmbedOrigins key={origins.join()} origins={origins} />
            <EmbedSecrets secrets={secrets} />
          </div>
        )}
      </Loaded>
    </Card>
  )
}
