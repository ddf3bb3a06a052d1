import {
  storeAnsweredChat,
  storeEvaluatedSet,
  storeReference,
  type TestOrganization,
  type TestService,
} from '@querypost/server/testing/suites'

/** The items that examples may change or delete. */
export interface ExampleItems {
  /** Their ids, as variables for this example. An item that the previous example may have changed is created again. */
  forExample(code: string): Promise<Record<string, string>>
}

interface Item {
  /** Examples that don't match leave the item alone. */
  usedBy: RegExp
  create(): Promise<Record<string, string>>
}

export function makeExampleItems(options: {
  service: TestService
  shop: TestOrganization
  queryId: string
  queryWithParameterId: string
  /** A reference that automations run. */
  watched: string
  /** Of new references. */
  content: { title: string; description: string }
}): ExampleItems {
  const { service, shop, content } = options
  const { api } = shop.admin
  let count = 0

  async function create(list: string, body: object): Promise<string> {
    return (await api('POST', list, body)).json<{ id: string }>().id
  }
  const withoutFormer = (list: string, make: () => Promise<{ id: string; variables: Record<string, string> }>) => {
    let former: string | undefined
    return async () => {
      if (former !== undefined) await api('DELETE', `${list}/${former}`)
      const { id, variables } = await make()
      former = id
      return variables
    }
  }

  const items: Item[] = [
    {
      usedBy: /reference|refs|short_?id|saved|board/i,
      async create() {
        const { shortId } = await storeReference(shop, options.queryWithParameterId, content)
        const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4 }
        const board = await api('POST', '/api/boards', { title: 'Revenue', tiles: [tile] })
        // Nothing uses the saved one.
        const saved = await storeReference(shop, options.queryId, { title: content.title, description: content.description })
        return { SHORT_ID: shortId, BOARD: board.json<{ shortId: string }>().shortId, SAVED_SHORT_ID: saved.shortId }
      },
    },
    {
      usedBy: /question|evaluation/i,
      // An organization has at most 100 sets. One that is being evaluated stays.
      create: withoutFormer('/api/question-sets', async () => {
        const { questionSetId, evaluationId, earlierEvaluationId } = await storeEvaluatedSet(service, shop)
        const variables = { QUESTION_SET_ID: questionSetId, EVALUATION_ID: evaluationId, EARLIER_EVALUATION_ID: earlierEvaluationId }
        return { id: questionSetId, variables }
      }),
    },
    {
      usedBy: /endpoint/i,
      // An organization has at most 100 endpoints, too.
      create: withoutFormer('/api/webhook-endpoints', async () => {
        const id = await create('/api/webhook-endpoints', { url: 'https://hooks.example/a', eventTypes: ['automation.run.completed'] })
        return { id, variables: { ENDPOINT_ID: id } }
      }),
    },
    {
      usedBy: /folder/i,
      create: async () => ({ FOLDER_ID: await create('/api/folders', { name: `Reports ${(count += 1)}` }) }),
    },
    {
      usedBy: /chat|ask/i,
      create: async () => ({ CHAT: await storeAnsweredChat(service, shop) }),
    },
    {
      usedBy: /automation/i,
      create: withoutFormer('/api/automations', async () => {
        const id = await create('/api/automations', { name: 'Report', instructions: 'Say what changed.', references: [options.watched] })
        return { id, variables: { OWN_AUTOMATION_ID: id } }
      }),
    },
    {
      usedBy: /metric|knowledge/i,
      create: withoutFormer('/api/knowledge/metrics', async () => {
        const definition = { kind: 'sql', databaseId: shop.databaseId, sql: 'select 1' }
        const id = await create('/api/knowledge/metrics', { name: `Metric ${(count += 1)}`, definition })
        return { id, variables: { METRIC_ID: id } }
      }),
    },
    {
      usedBy: /dbt/i,
      async create() {
        const manifest = { metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json', project_name: 'shop' }, nodes: {} }
        await api('POST', `/api/knowledge/dbt?databaseId=${shop.databaseId}`, { manifest })
        return {}
      },
    },
  ]
  const variables: Record<string, string> = {}
  let used = items
  return {
    async forExample(code) {
      for (const item of used) Object.assign(variables, await item.create())
      used = items.filter(({ usedBy }) => usedBy.test(code))
      return { ...variables }
    },
  }
}
