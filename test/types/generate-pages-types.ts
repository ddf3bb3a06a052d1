import { eventTypesOfPages } from './generate-event-types.ts'
import { formattersOfPages } from './generate-formatters.ts'
import { type GenerateOptions, operationTypesText, schemasText } from './generate.ts'
import type { OpenapiDocument } from './openapi-document.ts'
import { literalText } from './type-text.ts'
import type { CollectedRoute } from '@querypost/server/testing'
import { pagesDocument } from './pages-document.ts'

const options: GenerateOptions = {
  head: '// Made from the schemas of the pages’ routes by `npm run types`; a test keeps it so. Not for editing.\n\n',
  contentTypes: ['application/json', 'text/event-stream'],
  isBodyOptional: ({ required }) => !required,
}

/** The files of `src/api/generated`, by name. The output depends only on the routes. */
export function generatePagesTypes(routes: CollectedRoute[]): Record<string, string> {
  const document = pagesDocument(routes)
  return {
    'schemas.ts': schemasText(document, options),
    'operations.ts': operationTypesText(document, options),
    'values.ts': valuesText(document),
    'event-types.ts': eventTypesOfPages(),
    'formatters.ts': formattersOfPages(),
  }
}

/** The values of every named enum, in the service's order: those of `RunStatus` are in `runStatuses`. */
function valuesText({ components }: OpenapiDocument): string {
  const lists = Object.entries(components.schemas).flatMap(([name, schema]) =>
    schema.enum ? [`export const ${listName(name)} = [${schema.enum.map(literalText).join(', ')}] as const\n`] : [],
  )
  return options.head + lists.join('\n')
}

const listName = (name: string) => `${name[0]!.toLowerCase()}${name.slice(1)}${name.endsWith('s') ? 'es' : 's'}`
