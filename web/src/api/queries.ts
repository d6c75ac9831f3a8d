import type {
  AppAlert,
  AppBuilding,
  AppLoops,
  AppOutlook,
  AppOutlooks,
  AppPlan,
  AppPromises,
  AppScreed,
  AppWarmUp,
  Balancing,
  Calendars,
  ConnectedApp,
  GatewayEntry,
  HouseReport,
  InvitationEntry,
  KeyEntry,
  MatterStanding,
  MemberEntry,
  Notice,
  Notifications,
  OverviewEntry,
  PasskeyEntry,
  PastAlert,
  ProgrammeLink,
  ReleaseState,
  ReportedContact,
  ReportedSensor,
  RoomAir,
  RoomDiagnosis,
  RoomExplanation,
  RoomHistory,
  ScreedRecord,
  SessionEntry,
  SessionState,
  ShadowReport,
  Town,
  TownsQuery,
  WeatherSource,
  Webhook,
  WebhookDelivery,
  WhatIfAnswer,
  WhatIfQuestion,
} from '@hypocaust/domain'
import { notifyManager, QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, api } from './http.ts'

// Timers of a tab in the background fire once a second: what has arrived is shown without one.
notifyManager.setScheduler(queueMicrotask)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The service worker answers with the last state when there is no connection.
      networkMode: 'always',
      retry: (failures, error) => failures < (againAfterMs(error) === undefined ? 2 : 5) && !isRefused(error),
      retryDelay: (failures, error) => againAfterMs(error) ?? 1000 * 2 ** failures,
    },
    mutations: { networkMode: 'always' },
  },
})

/** For good: asking again would not help. A failure of the service, or of a proxy before it, passes. */
const isRefused = (error: unknown): boolean => error instanceof ApiError && error.status >= 400 && error.status < 500

const againAfterMs = (error: unknown): number | undefined =>
  error instanceof ApiError ? error.againAfterMs : undefined

const get = <T>(path: string) => api<T>('GET', path)

const BEGIN_AGAIN_MS = 5_000

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => get<SessionState>('/session'),
  staleTime: 60_000,
  // What is wrong is said at once.
  retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status > 0),
  // A page that could not begin does so by itself once the service answers.
  refetchInterval: ({ state }) => (state.data === undefined && state.error !== null ? BEGIN_AGAIN_MS : false),
})

/** Of everything that is known of buildings: what changes one of them, changes more than one answer. */
export const buildingsKey = ['buildings']

/** All buildings, a line each. */
export const overviewQuery = queryOptions({
  queryKey: [...buildingsKey, 'overview'],
  queryFn: () => get<OverviewEntry[]>('/overview'),
  refetchInterval: 60_000,
})

/** A list of one building, or of none where the reader is no member. */
export const buildingQuery = (buildingId: string) =>
  queryOptions({
    queryKey: [...buildingsKey, 'one', buildingId],
    queryFn: () => get<AppBuilding[]>(`/buildings?id=${buildingId}`),
    refetchInterval: 60_000,
  })

export const buildingWithRoomQuery = (roomId: string) =>
  queryOptions({
    queryKey: [...buildingsKey, 'with-room', roomId],
    queryFn: () => get<AppBuilding[]>(`/buildings?room_id=${roomId}`),
    refetchInterval: 60_000,
  })

/** Of the answers that hold whole buildings. */
export const isWholeBuilding = ({ queryKey: [, kind] }: { queryKey: readonly unknown[] }): boolean =>
  kind === 'one' || kind === 'with-room'

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: () => get<AppAlert[]>('/alerts'),
  refetchInterval: 60_000,
})

export const pastAlertsQuery = queryOptions({
  queryKey: ['alerts', 'past'],
  queryFn: () => get<PastAlert[]>('/alerts/past'),
})

export const gatewaysQuery = (buildingId: string) =>
  queryOptions({
    queryKey: ['gateways', buildingId],
    queryFn: () => get<GatewayEntry[]>(`/buildings/${buildingId}/gateways`),
  })

export const sensorsQuery = (buildingId: string) =>
  queryOptions({
    queryKey: ['sensors', buildingId],
    queryFn: () => get<ReportedSensor[]>(`/buildings/${buildingId}/sensors`),
  })

export const contactsQuery = (buildingId: string) =>
  queryOptions({
    queryKey: ['contacts', buildingId],
    queryFn: () => get<ReportedContact[]>(`/buildings/${buildingId}/contacts`),
  })

export const loopsQuery = (buildingId: string) =>
  queryOptions({
    queryKey: ['loops', buildingId],
    queryFn: () => get<AppLoops>(`/buildings/${buildingId}/loops`),
  })

export const houseReportQuery = (
  buildingId: string,
  { outdoor, renovated }: { outdoor: number; renovated: string | null },
) =>
  queryOptions({
    queryKey: ['house-report', buildingId, outdoor, renovated],
    queryFn: () => {
      const query = new URLSearchParams({
        outdoor_temperature: String(outdoor),
        ...(renovated !== null && { renovated }),
      })
      return get<HouseReport>(`/buildings/${buildingId}/house-report?${query}`)
    },
  })

export const balancingQuery = (buildingId: string, outdoor: number) =>
  queryOptions({
    queryKey: ['balancing', buildingId, outdoor],
    queryFn: () => get<Balancing>(`/buildings/${buildingId}/balancing?outdoor_temperature=${outdoor}`),
  })

export const screedQuery = (buildingId: string) =>
  queryOptions({
    queryKey: ['screed', buildingId],
    queryFn: () => get<AppScreed>(`/buildings/${buildingId}/screed`),
  })

export const screedRecordQuery = (buildingId: string, id: string) =>
  queryOptions({
    queryKey: ['screed-record', buildingId, id],
    queryFn: () => get<ScreedRecord>(`/buildings/${buildingId}/screed/records/${id}`),
  })

export const townsQuery = (query: TownsQuery) =>
  queryOptions({
    queryKey: ['towns', query],
    queryFn: () => get<Town[]>(`/towns?${new URLSearchParams(query)}`),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const weatherSourceQuery = queryOptions({
  queryKey: ['weather-source'],
  queryFn: () => get<WeatherSource>('/weather-source'),
  staleTime: Number.POSITIVE_INFINITY,
})

export const releaseQuery = queryOptions({
  queryKey: ['release'],
  queryFn: () => get<ReleaseState>('/release'),
})

export const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: () => get<Notice[]>('/notices'),
  refetchInterval: 60_000,
})

export const matterQuery = (buildingId: string) =>
  queryOptions({
    queryKey: ['matter', buildingId],
    queryFn: () => get<MatterStanding>(`/buildings/${buildingId}/matter`),
  })

export const membersQuery = (buildingId: string) =>
  queryOptions({
    queryKey: ['members', buildingId],
    queryFn: () => get<MemberEntry[]>(`/buildings/${buildingId}/members`),
  })

export const invitationsQuery = (buildingId: string) =>
  queryOptions({
    queryKey: ['invitations', buildingId],
    queryFn: () => get<InvitationEntry[]>(`/buildings/${buildingId}/invitations`),
  })

export const keysQuery = queryOptions({ queryKey: ['keys'], queryFn: () => get<KeyEntry[]>('/keys') })

export const connectedAppsQuery = queryOptions({
  queryKey: ['connected-apps'],
  queryFn: () => get<ConnectedApp[]>('/connected-apps'),
})

export const calendarsQuery = (buildingId: string) =>
  queryOptions({
    queryKey: ['calendars', buildingId],
    queryFn: () => get<Calendars>(`/buildings/${buildingId}/calendars`),
  })

export const programmeLinksQuery = (roomId: string) =>
  queryOptions({
    queryKey: ['programme-links', roomId],
    queryFn: () => get<ProgrammeLink[]>(`/rooms/${roomId}/programme/links`),
  })

export const webhooksQuery = queryOptions({ queryKey: ['webhooks'], queryFn: () => get<Webhook[]>('/webhooks') })

export const webhookDeliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: () => get<WebhookDelivery[]>(`/webhooks/${id}/deliveries`),
  })

export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: () => get<Notifications>('/notifications'),
})

export const sessionsQuery = queryOptions({ queryKey: ['sessions'], queryFn: () => get<SessionEntry[]>('/sessions') })

export const passkeysQuery = queryOptions({ queryKey: ['passkeys'], queryFn: () => get<PasskeyEntry[]>('/passkeys') })

/** A span up to now has one name at every time, so that without a connection the last one seen is found. */
export const historyQuery = (roomId: string, name: string, spanNow: () => { fromS: number; toS: number }) =>
  queryOptions({
    queryKey: ['history', roomId, name],
    queryFn: () => {
      const { fromS, toS } = spanNow()
      return get<RoomHistory>(`/rooms/${roomId}/history?from=${fromS}&to=${toS}`)
    },
    staleTime: 60_000,
    placeholderData: (previous: RoomHistory | undefined, query) =>
      query?.queryKey[1] === roomId ? previous : undefined,
  })

export const explanationQuery = (roomId: string) =>
  queryOptions({
    queryKey: ['explanation', roomId],
    queryFn: async () => (await get<RoomExplanation | undefined>(`/rooms/${roomId}/explanation`)) ?? null,
  })

export const diagnosisQuery = (roomId: string) =>
  queryOptions({
    queryKey: ['diagnosis', roomId],
    queryFn: async () => (await get<RoomDiagnosis | undefined>(`/rooms/${roomId}/diagnosis`)) ?? null,
    staleTime: 600_000,
  })

export const airQuery = (roomId: string) =>
  queryOptions({
    queryKey: ['air', roomId],
    queryFn: () => get<RoomAir>(`/rooms/${roomId}/air`),
    refetchInterval: 300_000,
  })

/** A replay takes seconds of a processor, and its answer moves little within an hour. */
export const whatIfQuery = (roomId: string, question: WhatIfQuestion) =>
  queryOptions({
    queryKey: ['what-if', roomId, question],
    queryFn: () => api<WhatIfAnswer>('POST', `/rooms/${roomId}/what-if`, question),
    staleTime: 3_600_000,
  })

export const outlookQuery = (roomId: string) =>
  queryOptions({
    queryKey: ['outlook', roomId],
    queryFn: () => get<AppOutlook>(`/rooms/${roomId}/outlook`),
    refetchInterval: 300_000,
  })

/** Of all rooms of a building, by their ids. */
export const outlooksQuery = (buildingId: string) =>
  queryOptions({
    queryKey: ['outlook', 'of', buildingId],
    queryFn: () => get<AppOutlooks>(`/buildings/${buildingId}/outlooks`),
    refetchInterval: 300_000,
    staleTime: 60_000,
  })

export const planQuery = (roomId: string) =>
  queryOptions({
    queryKey: ['plan', roomId],
    queryFn: () => get<AppPlan>(`/rooms/${roomId}/plan`),
    refetchInterval: 300_000,
    staleTime: 60_000,
  })

/** Changes once a day. */
export const promisesQuery = (roomId: string) =>
  queryOptions({
    queryKey: ['promises', roomId],
    queryFn: () => get<AppPromises>(`/rooms/${roomId}/promises`),
    staleTime: 3_600_000,
  })

/** It takes the service seconds, and changes with the days. */
export const shadowQuery = (roomId: string) =>
  queryOptions({
    queryKey: ['shadow', roomId],
    queryFn: async () => (await get<ShadowReport | undefined>(`/rooms/${roomId}/shadow`)) ?? null,
    staleTime: 600_000,
    refetchOnWindowFocus: false,
  })

/** What a step that is being edited means; null before the first reading. */
export const warmUpQuery = (roomId: string, step: string) =>
  queryOptions({
    queryKey: ['warm-up', roomId, step],
    queryFn: async () => (await get<AppWarmUp | undefined>(`/rooms/${roomId}/warm-up?${step}`)) ?? null,
    staleTime: 300_000,
    retry: false,
  })
