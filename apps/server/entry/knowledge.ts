export { updateCatalog } from '../src/domain/catalog/update-catalog.ts'
export { chooseKnowledge } from '../src/domain/knowledge/choose-knowledge.ts'
export { findKnowledge } from '../src/domain/knowledge/find-knowledge.ts'
