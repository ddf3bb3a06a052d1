export { buildApp } from '../src/http/build-app.ts'
export { resetPassword, runService } from '../src/process/main.ts'
export { makeServices } from '../src/process/make-services.ts'
