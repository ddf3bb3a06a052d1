export type { Figure, FigureSource } from './figure.ts'
export {
  findUnsupportedRequests,
  type RequestContext,
  type RequestKind,
  type UnsupportedRequest,
  type UnsupportedRequests,
} from './unsupported-requests.ts'
