export { parseConnectionString, schemeOf } from '../src/engines/connection-string.ts'
export { type EngineDefinition, type EngineIcon, type FilePlace, type ServerPlace } from '../src/engines/definition.ts'
export { definitionOf, definitions, embeddedEngine, type FileEngine, fileEngines } from '../src/engines/registry/definitions.ts'
