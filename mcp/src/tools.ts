import type { CallToolResult, ListToolsResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'

interface About<Input extends z.ZodObject> {
  title: string
  description: string
  inputSchema: Input
  annotations: ToolAnnotations
}

/** The tools of one server; their list is made by `listed` for all servers that have the same ones. */
export class Tools {
  readonly #server: McpServer
  readonly #registered: (About<z.ZodObject> & { name: string })[] = []

  constructor(server: McpServer) {
    this.#server = server
  }

  registerTool<Input extends z.ZodObject>(
    name: string,
    about: About<Input>,
    run: (input: z.infer<Input>) => Promise<CallToolResult>,
  ): void {
    this.#registered.push({ name, ...about })
    this.#server.registerTool(name, about as About<z.ZodObject>, (input) => run(input as z.infer<Input>))
  }

  listed(): ListToolsResult {
    const tools = this.#registered.map(({ inputSchema, ...tool }) => ({
      ...tool,
      inputSchema: z.toJSONSchema(inputSchema, { io: 'input' }),
    }))
    return { tools } as ListToolsResult
  }
}
