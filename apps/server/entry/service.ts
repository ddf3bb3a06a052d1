export { buildApp } from '../src/app.ts'
export { resetPassword, runService } from '../src/main.ts'
export { makeServices } from '../src/services.ts'
