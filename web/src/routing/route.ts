import { createContext, use } from 'react'
import type { Route } from './pages.ts'

export const RouteContext = createContext<Route>({ path: '/', params: {}, page: undefined })

/** The path of the page that is shown: while the next one is loading, still that of the last. */
export const usePath = (): string => use(RouteContext).path

export const useParam = (name: string): string => use(RouteContext).params[name] ?? ''
