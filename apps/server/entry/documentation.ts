export { readLink } from '../src/http/docs/docs-links.ts'
export { isLanguage } from '../src/http/docs/highlight.ts'
export { fenceInfo, type ReadMarkdown, readMarkdown } from '../src/http/docs/markdown.ts'
export {
  type Document as OpenapiDocument,
  nameOf,
  type Operation as OpenapiOperation,
  operationsOf,
  type Schema as OpenapiSchema,
} from '../src/http/docs/reference/openapi-document.ts'
export { makeReference } from '../src/http/docs/reference/reference.ts'
export { snippetsOf } from '../src/http/docs/reference/snippets.ts'
export { type LinkTo, typeWords } from '../src/http/docs/reference/type-words.ts'
export { openSite, type Site } from '../src/http/docs/site.ts'
export { readNavigation, readSources, type Sources } from '../src/http/docs/sources.ts'
export type { ErrorBody } from '../src/http/errors.ts'
export { pagePolicy } from '../src/http/pages/page-policy.ts'
export { makeMetrics } from '../src/domain/metrics.ts'
export { nameSchemas } from '../src/http/openapi-names.ts'
export { ErrorResponse } from '../src/http/schemas.ts'
