export * from '../src/domain/parameters/placeholder.ts'
