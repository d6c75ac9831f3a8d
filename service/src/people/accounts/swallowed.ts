import { AsyncLocalStorage } from 'node:async_hooks'
import { StoreError } from '../../store/store.ts'

interface Call {
  failure?: StoreError
}

const current = new AsyncLocalStorage<Call>()

/** better-auth logs a failure of the database where it does not throw it. */
export function noteFailure(...logged: unknown[]): void {
  const call = current.getStore()
  const failure = logged.find((each) => each instanceof StoreError)
  if (call && failure) call.failure ??= failure
}

/**
 * better-auth goes on as if signed out when the database fails, or refuses the caller. Each call throws the failure
 * instead of such an answer, so that the cookie stays and the caller tries again.
 */
export const throwingFailures = <Api extends object>(api: Api): Api =>
  new Proxy(api, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name)
      return typeof call === 'function' ? (...parts: unknown[]) => thrown(() => call(...parts)) : call
    },
  })

async function thrown<T>(work: () => Promise<T>): Promise<T> {
  const call: Call = {}
  const [answer] = await current.run(call, () => Promise.allSettled([work()]))
  if (call.failure) throw call.failure
  if (answer.status === 'rejected') throw answer.reason
  return answer.value
}
