export * from '../src/domain/parameters/date-range.ts'
