export { buildApp } from '../src/http/build-app.ts'
export { migrateSchema, resetPassword, resetSecondFactor, runService } from '../src/process/main.ts'
export { makeServices } from '../src/process/make-services.ts'
