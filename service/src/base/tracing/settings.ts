import { StartupError } from '../startup-error.ts'

export interface TracingSettings {
  url: string
  headers: Record<string, string>
  resource: Record<string, string>
  /** The share of traces that is recorded. */
  ratio: number
  /** Whether a request whose caller does not record its trace is left out too. */
  followsCaller: boolean
  /** How long spans are gathered. */
  gatherMs: number
}

const PATH = 'v1/traces'
const GATHER_MS = 5000

/** By the variables that OpenTelemetry names; undefined where nothing is to be traced. */
export function tracingSettings(env: NodeJS.ProcessEnv): TracingSettings | undefined {
  const given = (name: string): string | undefined => env[name]?.trim() || undefined
  const of = (name: string): [variable: string, value: string | undefined] => {
    const own = `OTEL_EXPORTER_OTLP_TRACES_${name}`
    const shared = `OTEL_EXPORTER_OTLP_${name}`
    return given(own) === undefined ? [shared, given(shared)] : [own, given(own)]
  }
  const [variable, address] = of('ENDPOINT')
  if (address === undefined || given('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined
  if (given('OTEL_TRACES_EXPORTER') === 'none') return undefined
  const [protocolVariable, protocol = 'http/json'] = of('PROTOCOL')
  if (protocol !== 'http/json') throw new StartupError(`${protocolVariable} must be http/json`)
  const url = addressIn(variable, address)
  if (variable === 'OTEL_EXPORTER_OTLP_ENDPOINT') url.pathname = url.pathname.replace(/\/*$/, `/${PATH}`)
  const [headersVariable, headers = ''] = of('HEADERS')
  const serviceName = given('OTEL_SERVICE_NAME')
  return {
    url: url.href,
    headers: headersIn(headersVariable, headers),
    resource: {
      'service.name': 'hypocaust',
      ...pairsIn('OTEL_RESOURCE_ATTRIBUTES', given('OTEL_RESOURCE_ATTRIBUTES') ?? ''),
      ...(serviceName !== undefined && { 'service.name': serviceName }),
    },
    ...samplerIn(given('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on', given('OTEL_TRACES_SAMPLER_ARG')),
    gatherMs: millisecondsIn('OTEL_BSP_SCHEDULE_DELAY', given('OTEL_BSP_SCHEDULE_DELAY')),
  }
}

function addressIn(variable: string, value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new StartupError(`${variable} must be an address such as http://127.0.0.1:4318`)
  return url
}

/** `name=value` with commas between; values are percent-encoded. */
function pairsIn(variable: string, text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '')
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const at = pair.indexOf('=')
        const name = pair.slice(0, at).trim()
        if (at < 0 || name === '') throw new Error('no name')
        return [name, decodeURIComponent(pair.slice(at + 1).trim())]
      }),
    )
  } catch {
    throw new StartupError(`${variable} must be name=value pairs with commas between, percent-encoded`)
  }
}

function headersIn(variable: string, text: string): Record<string, string> {
  const headers = pairsIn(variable, text)
  try {
    new Headers(headers)
  } catch {
    throw new StartupError(`${variable} has a header that HTTP does not allow`)
  }
  return headers
}

function samplerIn(name: string, argument: string | undefined): Pick<TracingSettings, 'ratio' | 'followsCaller'> {
  const followsCaller = name.startsWith('parentbased_')
  switch (name.replace('parentbased_', '')) {
    case 'always_on':
      return { ratio: 1, followsCaller }
    case 'always_off':
      return { ratio: 0, followsCaller }
    case 'traceidratio': {
      const ratio = Number(argument ?? '1')
      if (!(ratio >= 0 && ratio <= 1)) throw new StartupError('OTEL_TRACES_SAMPLER_ARG must be between 0 and 1')
      return { ratio, followsCaller }
    }
    default:
      throw new StartupError(
        'OTEL_TRACES_SAMPLER must be one of: always_on, always_off, traceidratio, each also with parentbased_ before it',
      )
  }
}

function millisecondsIn(variable: string, value: string | undefined): number {
  const ms = Number(value ?? GATHER_MS)
  if (!Number.isInteger(ms) || ms < 0 || ms > 60_000)
    throw new StartupError(`${variable} must be milliseconds between 0 and 60000`)
  return ms
}
