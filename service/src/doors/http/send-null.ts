import type { FastifyReply } from 'fastify'

/** A handler's null would be sent as an empty body. */
export const sendNull = (reply: FastifyReply): FastifyReply =>
  reply.type('application/json; charset=utf-8').serializer(String).send('null')
