SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION public.hypocaust_tell_building() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform pg_notify('hypocaust_building', json_build_object(
        'buildingId', coalesce(new.id, old.id), 'accountId', coalesce(new.account_id, old.account_id))::text);
      return null;
    end $$;
CREATE FUNCTION public.hypocaust_tell_key() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform pg_notify('hypocaust_key', json_build_object(
        'accountId', coalesce(new.account_id, old.account_id))::text);
      return null;
    end $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.account (
    id text NOT NULL,
    "userId" text NOT NULL,
    "accountId" text NOT NULL,
    "providerId" text NOT NULL,
    "accessToken" text,
    "refreshToken" text,
    "idToken" text,
    "accessTokenExpiresAt" timestamp with time zone,
    "refreshTokenExpiresAt" timestamp with time zone,
    scope text,
    password text,
    "createdAt" timestamp with time zone NOT NULL,
    "updatedAt" timestamp with time zone NOT NULL
);
CREATE TABLE public.alerts (
    id text NOT NULL,
    building_id text NOT NULL,
    room_id text,
    subject text NOT NULL,
    open_subject text,
    alert text NOT NULL,
    began_at bigint NOT NULL,
    absent_since bigint,
    ended_at bigint
);
CREATE TABLE public.api_keys (
    id text NOT NULL,
    account_id text NOT NULL,
    name text NOT NULL,
    hash text NOT NULL,
    hint text NOT NULL,
    permission text NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint,
    expires_at bigint,
    revoked_at bigint
);
CREATE TABLE public.buildings (
    id text NOT NULL,
    account_id text NOT NULL,
    key text NOT NULL,
    name text NOT NULL,
    lat double precision NOT NULL,
    lng double precision NOT NULL,
    timezone text NOT NULL,
    created_at bigint NOT NULL,
    revised_at bigint DEFAULT 0 NOT NULL,
    frost_protection smallint DEFAULT 1 NOT NULL,
    away_until bigint,
    away_c double precision,
    controlled_at bigint DEFAULT 0 NOT NULL,
    followed_revision bigint DEFAULT 0 NOT NULL,
    alerts_checked_at bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.control_states (
    room_id text NOT NULL,
    version bigint NOT NULL,
    state text NOT NULL,
    kept_at bigint,
    kept_gist text
);
CREATE TABLE public.decisions (
    room_id text NOT NULL,
    decided_at bigint NOT NULL,
    power double precision NOT NULL,
    target_c double precision NOT NULL,
    decision text NOT NULL
)
PARTITION BY RANGE (decided_at);
CREATE TABLE public.decisions_before (
    room_id text NOT NULL,
    decided_at bigint NOT NULL,
    power double precision NOT NULL,
    target_c double precision NOT NULL,
    decision text NOT NULL
);
CREATE TABLE public.decisions_default (
    room_id text NOT NULL,
    decided_at bigint NOT NULL,
    power double precision NOT NULL,
    target_c double precision NOT NULL,
    decision text NOT NULL
);
CREATE TABLE public.forecasts (
    place text NOT NULL,
    updated_at bigint NOT NULL,
    due_at bigint NOT NULL,
    last_modified text,
    forecast text
);
CREATE TABLE public.gateway_messages (
    gateway_id text NOT NULL,
    boot text NOT NULL,
    n bigint NOT NULL,
    received_at bigint NOT NULL
);
CREATE TABLE public.gateways (
    id text NOT NULL,
    building_id text NOT NULL,
    key text NOT NULL,
    name text NOT NULL,
    token_hash text NOT NULL,
    created_at bigint NOT NULL,
    last_seen_at bigint,
    mqtt_hash text,
    state text,
    boot text,
    version text,
    channels integer,
    clock_ok smallint,
    buffered integer,
    command_seq bigint DEFAULT 0 NOT NULL,
    command text,
    command_due_at bigint,
    acked_seq bigint,
    acked_epoch bigint,
    ack_result text,
    config_revision bigint DEFAULT 0 NOT NULL,
    config text,
    confirmed_revision bigint
);
CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.matter_bridges (
    building_id text NOT NULL,
    manual_code text NOT NULL,
    qr_payload text NOT NULL,
    controllers integer NOT NULL,
    seen_at bigint NOT NULL
);
CREATE TABLE public.meta (
    name text NOT NULL,
    value text
);
CREATE TABLE public.notification_choices (
    account_id text NOT NULL,
    mail smallint NOT NULL,
    language text NOT NULL,
    muted text NOT NULL
);
CREATE TABLE public.pairing_codes (
    code_hash text NOT NULL,
    gateway_id text NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.passkey (
    id text NOT NULL,
    "userId" text NOT NULL,
    name text,
    "publicKey" text NOT NULL,
    "credentialID" text NOT NULL,
    counter double precision NOT NULL,
    "deviceType" text NOT NULL,
    "backedUp" boolean NOT NULL,
    transports text,
    "createdAt" timestamp with time zone,
    aaguid text
);
CREATE TABLE public.push_devices (
    id text NOT NULL,
    account_id text NOT NULL,
    session_id text NOT NULL,
    endpoint text NOT NULL,
    p256dh text NOT NULL,
    auth text NOT NULL,
    language text NOT NULL,
    user_agent text NOT NULL,
    created_at bigint NOT NULL
);
CREATE UNLOGGED TABLE public.rate_windows (
    name text NOT NULL,
    ends_at bigint NOT NULL,
    used integer NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.readings (
    building_id text NOT NULL,
    sensor_id text NOT NULL,
    measured_at bigint NOT NULL,
    temperature_c double precision NOT NULL,
    humidity_pct double precision
)
PARTITION BY RANGE (measured_at);
CREATE TABLE public.readings_before (
    building_id text NOT NULL,
    sensor_id text NOT NULL,
    measured_at bigint NOT NULL,
    temperature_c double precision NOT NULL,
    humidity_pct double precision
);
CREATE TABLE public.readings_default (
    building_id text NOT NULL,
    sensor_id text NOT NULL,
    measured_at bigint NOT NULL,
    temperature_c double precision NOT NULL,
    humidity_pct double precision
);
CREATE TABLE public.readings_five_minute (
    sensor_id text NOT NULL,
    starts_at bigint NOT NULL,
    count integer NOT NULL,
    mean_c double precision NOT NULL,
    min_c double precision NOT NULL,
    max_c double precision NOT NULL,
    humidity_count integer NOT NULL,
    humidity_pct double precision
)
PARTITION BY RANGE (starts_at);
CREATE TABLE public.readings_five_minute_before (
    sensor_id text NOT NULL,
    starts_at bigint NOT NULL,
    count integer NOT NULL,
    mean_c double precision NOT NULL,
    min_c double precision NOT NULL,
    max_c double precision NOT NULL,
    humidity_count integer NOT NULL,
    humidity_pct double precision
);
CREATE TABLE public.readings_five_minute_default (
    sensor_id text NOT NULL,
    starts_at bigint NOT NULL,
    count integer NOT NULL,
    mean_c double precision NOT NULL,
    min_c double precision NOT NULL,
    max_c double precision NOT NULL,
    humidity_count integer NOT NULL,
    humidity_pct double precision
);
CREATE TABLE public.readings_hourly (
    sensor_id text NOT NULL,
    starts_at bigint NOT NULL,
    count integer NOT NULL,
    mean_c double precision NOT NULL,
    min_c double precision NOT NULL,
    max_c double precision NOT NULL,
    humidity_count integer NOT NULL,
    humidity_pct double precision
)
PARTITION BY RANGE (starts_at);
CREATE TABLE public.readings_hourly_before (
    sensor_id text NOT NULL,
    starts_at bigint NOT NULL,
    count integer NOT NULL,
    mean_c double precision NOT NULL,
    min_c double precision NOT NULL,
    max_c double precision NOT NULL,
    humidity_count integer NOT NULL,
    humidity_pct double precision
);
CREATE TABLE public.readings_hourly_default (
    sensor_id text NOT NULL,
    starts_at bigint NOT NULL,
    count integer NOT NULL,
    mean_c double precision NOT NULL,
    min_c double precision NOT NULL,
    max_c double precision NOT NULL,
    humidity_count integer NOT NULL,
    humidity_pct double precision
);
CREATE TABLE public.room_slots (
    room_id text NOT NULL,
    ends_at bigint NOT NULL,
    slot text NOT NULL
);
CREATE TABLE public.rooms (
    id text NOT NULL,
    building_id text NOT NULL,
    key text NOT NULL,
    name text NOT NULL,
    "position" integer NOT NULL,
    floor_type text NOT NULL,
    sensor_id text NOT NULL,
    floor_sensor_id text,
    area_m2 double precision,
    target_c double precision NOT NULL,
    preset_mode text NOT NULL,
    manual_enabled smallint NOT NULL,
    manual_power double precision NOT NULL,
    comfort_band_k double precision NOT NULL,
    night_mode text,
    max_floor_c double precision NOT NULL,
    control_power double precision NOT NULL,
    created_at bigint NOT NULL,
    controlled_wish text,
    fallback_power double precision,
    fitted_at bigint DEFAULT 0 NOT NULL,
    aim_c double precision,
    warming_for bigint,
    CONSTRAINT rooms_manual_power CHECK (((manual_power >= (0)::double precision) AND (manual_power <= (1)::double precision))),
    CONSTRAINT rooms_target CHECK (((target_c >= (7)::double precision) AND (target_c <= (35)::double precision)))
);
CREATE TABLE public.sensors (
    id text NOT NULL,
    building_id text NOT NULL,
    created_at bigint NOT NULL,
    temperature_c double precision,
    humidity_pct double precision,
    battery_pct double precision,
    rssi_dbm double precision,
    measured_at bigint
);
CREATE TABLE public.session (
    id text NOT NULL,
    "userId" text NOT NULL,
    token text NOT NULL,
    "expiresAt" timestamp with time zone NOT NULL,
    "ipAddress" text,
    "userAgent" text,
    "createdAt" timestamp with time zone NOT NULL,
    "updatedAt" timestamp with time zone NOT NULL
);
CREATE TABLE public.tellings (
    id text NOT NULL,
    alert_id text NOT NULL,
    device_id text,
    due_at bigint,
    attempts integer NOT NULL,
    began_told_at bigint,
    ended_told_at bigint
);
CREATE TABLE public."twoFactor" (
    id text NOT NULL,
    "userId" text NOT NULL,
    secret text NOT NULL,
    "backupCodes" text NOT NULL,
    verified boolean,
    "failedVerificationCount" integer,
    "lockedUntil" timestamp with time zone
);
CREATE TABLE public."user" (
    id text NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    "emailVerified" boolean NOT NULL,
    image text,
    "createdAt" timestamp with time zone NOT NULL,
    "updatedAt" timestamp with time zone NOT NULL,
    "twoFactorEnabled" boolean
);
CREATE TABLE public.valve_windows (
    gateway_id text NOT NULL,
    channel integer NOT NULL,
    started_at bigint NOT NULL,
    window_s double precision NOT NULL,
    open_s double precision NOT NULL,
    source text NOT NULL
)
PARTITION BY RANGE (started_at);
CREATE TABLE public.valve_windows_before (
    gateway_id text NOT NULL,
    channel integer NOT NULL,
    started_at bigint NOT NULL,
    window_s double precision NOT NULL,
    open_s double precision NOT NULL,
    source text NOT NULL
);
CREATE TABLE public.valve_windows_default (
    gateway_id text NOT NULL,
    channel integer NOT NULL,
    started_at bigint NOT NULL,
    window_s double precision NOT NULL,
    open_s double precision NOT NULL,
    source text NOT NULL
);
CREATE TABLE public.valves (
    gateway_id text NOT NULL,
    channel integer NOT NULL,
    room_id text NOT NULL
);
CREATE TABLE public.verification (
    id text NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    "expiresAt" timestamp with time zone NOT NULL,
    "createdAt" timestamp with time zone NOT NULL,
    "updatedAt" timestamp with time zone NOT NULL
);
CREATE TABLE public.weather (
    building_id text NOT NULL,
    updated_at bigint NOT NULL,
    temperature_c double precision NOT NULL,
    cloud_pct double precision NOT NULL,
    wind_deg double precision NOT NULL,
    wind_ms double precision NOT NULL
);
ALTER TABLE ONLY public.decisions ATTACH PARTITION public.decisions_before FOR VALUES FROM (MINVALUE) TO ('1795046400000');
ALTER TABLE ONLY public.decisions ATTACH PARTITION public.decisions_default DEFAULT;
ALTER TABLE ONLY public.readings ATTACH PARTITION public.readings_before FOR VALUES FROM (MINVALUE) TO ('1794765600000');
ALTER TABLE ONLY public.readings ATTACH PARTITION public.readings_default DEFAULT;
ALTER TABLE ONLY public.readings_five_minute ATTACH PARTITION public.readings_five_minute_before FOR VALUES FROM (MINVALUE) TO ('1794787200000');
ALTER TABLE ONLY public.readings_five_minute ATTACH PARTITION public.readings_five_minute_default DEFAULT;
ALTER TABLE ONLY public.readings_hourly ATTACH PARTITION public.readings_hourly_before FOR VALUES FROM (MINVALUE) TO ('1795046400000');
ALTER TABLE ONLY public.readings_hourly ATTACH PARTITION public.readings_hourly_default DEFAULT;
ALTER TABLE ONLY public.valve_windows ATTACH PARTITION public.valve_windows_before FOR VALUES FROM (MINVALUE) TO ('1794787200000');
ALTER TABLE ONLY public.valve_windows ATTACH PARTITION public.valve_windows_default DEFAULT;
INSERT INTO public.account VALUES ('01a1df8c-9bb3-7590-a13f-7b2353b492f1', '01a1df8c-98d4-7474-920e-089f4484a9c0', '01a1df8c-98d4-7474-920e-089f4484a9c0', 'credential', NULL, NULL, NULL, NULL, NULL, NULL, '5b1b3ad1d14596299360bf934bf68b2b:080b418fe9f60cdd05dc22f5cb74560da4aa4e0e824e024beff4851b6521265f913167a13a990aab694fdf76b9be55d47cd275a55f28a593807f5b867c240a1b', '2026-11-15 14:11:36.498+00', '2026-11-15 14:11:36.498+00');
INSERT INTO public.api_keys VALUES ('01a1df8c-9c31-7f63-81dc-d5f6baf064e2', '01a1df8c-98d4-7474-920e-089f4484a9c0', 'read', '61d570087018cc1d24231be48586e15de47a230b30dd34459a7b47496911e1c7', 'hyp_…CiL0', 'read', 1794751896625, NULL, NULL, NULL);
INSERT INTO public.api_keys VALUES ('01a1df8c-9c36-7b3a-82d0-2585d80de2bc', '01a1df8c-98d4-7474-920e-089f4484a9c0', 'write', '18dd8d427027b5de8739f71d6dc2abe83fa5c39eb524d720e458bd403c0e842c', 'hyp_…Yrew', 'write', 1794751896630, 1794751899281, NULL, NULL);
INSERT INTO public.buildings VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', '01a1df8c-98d4-7474-920e-089f4484a9c0', 'lakeside-12', 'Lakeside 12', 59.91, 10.75, 'Europe/Oslo', 1794751896507, 1794751899329, 1, NULL, NULL, 1794751899678, 1794751899329, 0);
INSERT INTO public.control_states VALUES ('01a1df8c-9bd3-75b8-af8f-7a692529f866', 4, '{"version":1,"floorType":"screed","updatedMs":1794751899678,"location":{"lat":59.91,"lng":10.75},"learned":[0,0,0,0,0,0,0,0,0,0,0],"fit":{"atMs":null,"accepted":0,"tried":0,"errorK":null,"days":0,"rejected":false},"belief":{"mean":[22.50006,21.99997,20.00001,19.99992,0,0],"spread":[3.997882,0.001241798,1.262989e-8,8.351365e-8,7.266099e-10,2.018434e-9,0.001241798,0.9993772,0.00005333978,0.0001794581,0.0000134641,0.00003740132,1.262989e-8,0.00005333978,0.4999727,0.0001196811,0.00002070576,0.00005751762,8.351365e-8,0.0001794581,0.0001196811,0.09990999,0.0001795136,0.0004986632,7.266099e-10,0.0000134641,0.00002070576,0.0001795136,9,0,2.018434e-9,0.00003740132,0.00005751762,0.0004986632,0,25]},"lastReadingMs":1794751898733,"lastAimC":22.5,"weather":null,"power":1,"frost":false,"integral":0,"block":{"startMs":1794751899494,"endMs":1794753000000,"openS":1100.506,"key":279490339,"without":{"atMs":1794804099494,"airC":17.67796,"lowC":22,"floorNeedsS":59400},"caps":[],"rung":"measured"},"owedS":1.274729,"airing":{"quickC":20,"slowC":20,"openSinceMs":null,"calm":[22.5,22,20,20,0,0]},"boiler":{"startMs":1794751899137,"heated":[22.5,22,20,20,0,0],"unheated":[22.5,22,20,20,0,0],"off":false,"earlier":null},"distrusted":[],"forecast":{"checkedMs":1794751898606,"biasK":0,"solarBiasWm2":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]},"outlook":{"dueMs":1794762699494,"feltC":20.79551,"errorK":0.15},"slot":{"endMs":1794753000000,"seconds":1.072,"power":0.3294997,"outdoorC":5.36,"windMs":3.752,"solarWm2":10.90109,"airC":0,"readings":0,"spoiled":true}}', 1794751899494, '["heat",1,"measured",["no-weather"],[],22.5]');
INSERT INTO public.control_states VALUES ('01a1df8c-9bd3-7d5e-93dc-9ea9d61dd1fe', 4, '{"version":1,"floorType":"timber","updatedMs":1794751899678,"location":{"lat":59.91,"lng":10.75},"learned":[0,0,0,0,0,0,0,0,0,0,0],"fit":{"atMs":null,"accepted":0,"tried":0,"errorK":null,"days":0,"rejected":false},"belief":null,"lastReadingMs":null,"lastAimC":20,"weather":null,"power":0.2336603,"frost":false,"integral":0,"block":{"startMs":1794751898606,"endMs":1794753000000,"openS":257.3521,"key":1180653416,"without":null,"caps":[],"rung":"learned-power"},"owedS":0,"airing":{"quickC":null,"slowC":null,"openSinceMs":null,"calm":null},"boiler":{"startMs":1794751898606,"heated":null,"unheated":null,"off":false,"earlier":null},"distrusted":[],"forecast":{"checkedMs":1794751898606,"biasK":0,"solarBiasWm2":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]},"outlook":{"dueMs":0,"feltC":0,"errorK":0.15},"slot":{"endMs":1794753000000,"seconds":1.072,"power":0.2504838,"outdoorC":5.36,"windMs":3.752,"solarWm2":10.90109,"airC":0,"readings":0,"spoiled":true}}', 1794751898606, '["heat",0.234,"learned-power",["no-weather","sensor-lost"],[],20]');
INSERT INTO public.decisions_before VALUES ('01a1df8c-9bd3-75b8-af8f-7a692529f866', 1794751898606, 0.274, 20, '{"atMs":1794751898606,"timeZone":"Europe/Oslo","mode":"heat","power":0.2740107,"share":0.2740107,"rung":"learned-power","notices":["no-weather","sensor-lost"],"caps":[],"air":null,"estimate":null,"outdoorC":null,"aim":{"targetC":20,"lowC":19.5,"highC":20.5,"occupied":true,"reason":"day"},"without":null,"warmsForMs":null,"maxFloorC":29,"confidence":0}');
INSERT INTO public.decisions_before VALUES ('01a1df8c-9bd3-7d5e-93dc-9ea9d61dd1fe', 1794751898606, 0.234, 20, '{"atMs":1794751898606,"timeZone":"Europe/Oslo","mode":"heat","power":0.2336603,"share":0.2336603,"rung":"learned-power","notices":["no-weather","sensor-lost"],"caps":[],"air":null,"estimate":null,"outdoorC":null,"aim":{"targetC":20,"lowC":19.5,"highC":20.5,"occupied":true,"reason":"day"},"without":null,"warmsForMs":null,"maxFloorC":29,"confidence":0}');
INSERT INTO public.decisions_before VALUES ('01a1df8c-9bd3-75b8-af8f-7a692529f866', 1794751899137, 0, 20, '{"atMs":1794751899137,"timeZone":"Europe/Oslo","mode":"heat","power":0,"share":0,"rung":"measured","notices":["no-weather"],"caps":["minimum-pulse"],"air":{"airC":20,"ageS":0.404},"estimate":{"airC":19.83086,"floorC":22,"floorProbed":false},"outdoorC":null,"aim":{"targetC":20,"lowC":19.5,"highC":20.5,"occupied":true,"reason":"day"},"without":{"atMs":1794804099137,"airC":17.67797,"lowC":19.5,"floorNeedsS":18000},"warmsForMs":null,"maxFloorC":29,"confidence":0}');
INSERT INTO public.decisions_before VALUES ('01a1df8c-9bd3-75b8-af8f-7a692529f866', 1794751899494, 1, 22.5, '{"atMs":1794751899494,"timeZone":"Europe/Oslo","mode":"heat","power":1,"share":1,"rung":"measured","notices":["no-weather"],"caps":[],"air":{"airC":20,"ageS":0.761},"estimate":{"airC":19.83085,"floorC":21.99998,"floorProbed":false},"outdoorC":null,"aim":{"targetC":22.5,"lowC":22,"highC":23,"occupied":true,"reason":"day"},"without":{"atMs":1794804099494,"airC":17.67796,"lowC":22,"floorNeedsS":59400},"warmsForMs":null,"maxFloorC":29,"confidence":0}');
INSERT INTO public.gateway_messages VALUES ('01a1df8c-9bd3-7428-a6d0-dd10bfa51c9c', 'release', 0, 1794751898885);
INSERT INTO public.gateway_messages VALUES ('01a1df8c-9bd3-7428-a6d0-dd10bfa51c9c', 'release', 1, 1794751898930);
INSERT INTO public.gateways VALUES ('01a1df8c-9bd3-7428-a6d0-dd10bfa51c9c', '01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'cellar', 'cellar', 'd6223f54505256ee02a6bb6f681d28e4c19878c69efe83926c3fdae5ffc3a8c2', 1794751896507, 1794751898810, '$7$101$rkMx1rrD00bCAFir$IDOc8UrBOfTo/+PNoj0i2ZC5uloMg4Kmo69177UtbkK6gAi0ikBvalxeRXmFPmhEdQFDUn8dFqDSuxJ7iSh2PA==', 'online', 'release', '0.1.0', 2, 1, 0, 4, '[{"channel":1,"power":1,"window_s":1800},{"channel":2,"power":0.234,"window_s":1800}]', 1794753699723, NULL, NULL, NULL, 3, '{"fallback":{"after_s":5400,"power":{"1":0.45,"2":0.25}},"min_open_s":180,"exercise_days":7}', 1);
INSERT INTO public.kysely_migration VALUES ('0001-v1-interface', '2026-11-15T14:11:34.806Z');
INSERT INTO public.kysely_migration VALUES ('0002-gateways', '2026-11-15T14:11:35.052Z');
INSERT INTO public.kysely_migration VALUES ('0003-heating', '2026-11-15T14:11:35.124Z');
INSERT INTO public.kysely_migration VALUES ('0004-partitions', '2026-11-15T14:11:35.426Z');
INSERT INTO public.kysely_migration VALUES ('0005-processes', '2026-11-15T14:11:35.521Z');
INSERT INTO public.kysely_migration VALUES ('0006-matter', '2026-11-15T14:11:35.533Z');
INSERT INTO public.kysely_migration VALUES ('0010-web', '2026-11-15T14:11:35.566Z');
INSERT INTO public.kysely_migration VALUES ('0012-alerts', '2026-11-15T14:11:35.720Z');
INSERT INTO public.kysely_migration VALUES ('0013-warming', '2026-11-15T14:11:35.722Z');
INSERT INTO public.kysely_migration_lock VALUES ('migration_lock', 0);
INSERT INTO public.meta VALUES ('epoch', '1');
INSERT INTO public.rate_windows VALUES ('8T1VRPHvh_VJFV5uJMKF3eusdRSSmckU2eByK5GNN2Y', 1794751959281, 1);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794744698733, 20.1, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794737498733, 20.2, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794730298733, 20.3, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794723098733, 20.4, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794715898733, 20.5, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794708698733, 20.6, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794701498733, 20.7, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794694298733, 20.8, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794687098733, 20.9, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794679898733, 21, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794672698733, 21.1, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794665498733, 21.2, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794658298733, 21.3, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794651098733, 21.4, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794643898733, 21.5, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794636698733, 21.6, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794629498733, 21.7, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794622298733, 21.8, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794615098733, 21.9, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794607898733, 22, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794600698733, 22.1, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794593498733, 22.2, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794586298733, 22.3, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794579098733, 22.4, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794571898733, 22.5, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794564698733, 22.6, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794557498733, 22.7, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794550298733, 22.8, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794543098733, 22.9, 45);
INSERT INTO public.readings_before VALUES ('01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'a4:c1:38:5e:01:02', 1794751898733, 20, 45);
INSERT INTO public.rooms VALUES ('01a1df8c-9bd3-75b8-af8f-7a692529f866', '01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'bathroom', 'Bath', 0, 'screed', 'a4:c1:38:5e:01:02', NULL, NULL, 22.5, 'low', 0, 0, 0.5, '{"from":"22:30","to":"05:30","setback":2}', 29, 1, 1794751896507, 'automatic', 0.45, 1794687098958, 22.5, NULL);
INSERT INTO public.rooms VALUES ('01a1df8c-9bd3-7d5e-93dc-9ea9d61dd1fe', '01a1df8c-9bc2-7f8f-93b0-1838624240b6', 'hall', 'Hall', 1, 'timber', 'a4:c1:38:5e:01:03', NULL, NULL, 20, 'none', 0, 0, 0.5, NULL, 29, 0.234, 1794751896507, 'automatic', 0.25, 0, 20, NULL);
INSERT INTO public.sensors VALUES ('a4:c1:38:5e:01:03', '01a1df8c-9bc2-7f8f-93b0-1838624240b6', 1794751896507, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.sensors VALUES ('a4:c1:38:5e:01:02', '01a1df8c-9bc2-7f8f-93b0-1838624240b6', 1794751896507, 20, 45, NULL, NULL, 1794751898733);
INSERT INTO public."user" VALUES ('01a1df8c-98d4-7474-920e-089f4484a9c0', 'ada@example.org', 'ada@example.org', false, NULL, '2026-11-15 14:11:36.498+00', '2026-11-15 14:11:36.498+00', NULL);
INSERT INTO public.valves VALUES ('01a1df8c-9bd3-7428-a6d0-dd10bfa51c9c', 1, '01a1df8c-9bd3-75b8-af8f-7a692529f866');
INSERT INTO public.valves VALUES ('01a1df8c-9bd3-7428-a6d0-dd10bfa51c9c', 2, '01a1df8c-9bd3-7d5e-93dc-9ea9d61dd1fe');
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_open_subject_key UNIQUE (open_subject);
ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.buildings
    ADD CONSTRAINT buildings_key UNIQUE (account_id, key);
ALTER TABLE ONLY public.buildings
    ADD CONSTRAINT buildings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.control_states
    ADD CONSTRAINT control_states_version PRIMARY KEY (room_id, version);
ALTER TABLE ONLY public.decisions
    ADD CONSTRAINT decisions_at PRIMARY KEY (room_id, decided_at);
ALTER TABLE ONLY public.decisions_before
    ADD CONSTRAINT decisions_before_once PRIMARY KEY (room_id, decided_at);
ALTER TABLE ONLY public.decisions_default
    ADD CONSTRAINT decisions_default_pkey PRIMARY KEY (room_id, decided_at);
ALTER TABLE ONLY public.forecasts
    ADD CONSTRAINT forecasts_pkey PRIMARY KEY (place);
ALTER TABLE ONLY public.gateway_messages
    ADD CONSTRAINT gateway_messages_once PRIMARY KEY (gateway_id, boot, n);
ALTER TABLE ONLY public.gateways
    ADD CONSTRAINT gateways_key UNIQUE (building_id, key);
ALTER TABLE ONLY public.gateways
    ADD CONSTRAINT gateways_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.matter_bridges
    ADD CONSTRAINT matter_bridges_pkey PRIMARY KEY (building_id);
ALTER TABLE ONLY public.meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.notification_choices
    ADD CONSTRAINT notification_choices_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY public.pairing_codes
    ADD CONSTRAINT pairing_codes_pkey PRIMARY KEY (code_hash);
ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT "passkey_credentialID_key" UNIQUE ("credentialID");
ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.push_devices
    ADD CONSTRAINT push_devices_endpoint_key UNIQUE (endpoint);
ALTER TABLE ONLY public.push_devices
    ADD CONSTRAINT push_devices_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rate_windows
    ADD CONSTRAINT rate_windows_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.readings
    ADD CONSTRAINT readings_once PRIMARY KEY (sensor_id, measured_at);
ALTER TABLE ONLY public.readings_before
    ADD CONSTRAINT readings_before_once PRIMARY KEY (sensor_id, measured_at);
ALTER TABLE ONLY public.readings_default
    ADD CONSTRAINT readings_default_pkey PRIMARY KEY (sensor_id, measured_at);
ALTER TABLE ONLY public.readings_five_minute
    ADD CONSTRAINT readings_five_minute_once PRIMARY KEY (sensor_id, starts_at);
ALTER TABLE ONLY public.readings_five_minute_before
    ADD CONSTRAINT readings_five_minute_before_once PRIMARY KEY (sensor_id, starts_at);
ALTER TABLE ONLY public.readings_five_minute_default
    ADD CONSTRAINT readings_five_minute_default_pkey PRIMARY KEY (sensor_id, starts_at);
ALTER TABLE ONLY public.readings_hourly
    ADD CONSTRAINT readings_hourly_once PRIMARY KEY (sensor_id, starts_at);
ALTER TABLE ONLY public.readings_hourly_before
    ADD CONSTRAINT readings_hourly_before_once PRIMARY KEY (sensor_id, starts_at);
ALTER TABLE ONLY public.readings_hourly_default
    ADD CONSTRAINT readings_hourly_default_pkey PRIMARY KEY (sensor_id, starts_at);
ALTER TABLE ONLY public.room_slots
    ADD CONSTRAINT room_slots_end PRIMARY KEY (room_id, ends_at);
ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_key UNIQUE (building_id, key);
ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sensors
    ADD CONSTRAINT sensors_in_building UNIQUE (building_id, id);
ALTER TABLE ONLY public.sensors
    ADD CONSTRAINT sensors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_token_key UNIQUE (token);
ALTER TABLE ONLY public.tellings
    ADD CONSTRAINT tellings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public."twoFactor"
    ADD CONSTRAINT "twoFactor_pkey" PRIMARY KEY (id);
ALTER TABLE ONLY public."user"
    ADD CONSTRAINT user_email_key UNIQUE (email);
ALTER TABLE ONLY public."user"
    ADD CONSTRAINT user_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.valve_windows
    ADD CONSTRAINT valve_windows_once PRIMARY KEY (gateway_id, channel, started_at, source);
ALTER TABLE ONLY public.valve_windows_before
    ADD CONSTRAINT valve_windows_before_once PRIMARY KEY (gateway_id, channel, started_at, source);
ALTER TABLE ONLY public.valve_windows_default
    ADD CONSTRAINT valve_windows_default_pkey PRIMARY KEY (gateway_id, channel, started_at, source);
ALTER TABLE ONLY public.valves
    ADD CONSTRAINT valves_channel PRIMARY KEY (gateway_id, channel);
ALTER TABLE ONLY public.verification
    ADD CONSTRAINT verification_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.weather
    ADD CONSTRAINT weather_pkey PRIMARY KEY (building_id);
CREATE INDEX account_user ON public.account USING btree ("userId");
CREATE INDEX alerts_building ON public.alerts USING btree (building_id, began_at);
CREATE INDEX alerts_ended_at ON public.alerts USING btree (ended_at);
CREATE INDEX alerts_room ON public.alerts USING btree (room_id);
CREATE INDEX alerts_subject ON public.alerts USING btree (subject, began_at);
CREATE INDEX api_keys_account ON public.api_keys USING btree (account_id);
CREATE INDEX buildings_alerts_checked_at ON public.buildings USING btree (alerts_checked_at);
CREATE INDEX buildings_controlled_at ON public.buildings USING btree (controlled_at);
CREATE INDEX buildings_not_followed ON public.buildings USING btree (id) WHERE (revised_at > followed_revision);
CREATE INDEX decisions_decided_at ON ONLY public.decisions USING btree (decided_at);
CREATE INDEX decisions_before_decided_at ON public.decisions_before USING btree (decided_at);
CREATE INDEX decisions_default_decided_at_idx ON public.decisions_default USING btree (decided_at);
CREATE INDEX gateway_messages_received_at ON public.gateway_messages USING btree (received_at);
CREATE INDEX gateways_command_due_at ON public.gateways USING btree (command_due_at);
CREATE INDEX pairing_codes_expires_at ON public.pairing_codes USING btree (expires_at);
CREATE INDEX pairing_codes_gateway_id ON public.pairing_codes USING btree (gateway_id);
CREATE INDEX passkey_user ON public.passkey USING btree ("userId");
CREATE INDEX push_devices_account ON public.push_devices USING btree (account_id);
CREATE INDEX push_devices_session ON public.push_devices USING btree (session_id);
CREATE INDEX rate_windows_ends_at ON public.rate_windows USING btree (ends_at);
CREATE INDEX readings_measured_at ON ONLY public.readings USING btree (measured_at);
CREATE INDEX readings_before_measured_at ON public.readings_before USING btree (measured_at);
CREATE INDEX readings_default_measured_at_idx ON public.readings_default USING btree (measured_at);
CREATE INDEX readings_five_minute_starts_at ON ONLY public.readings_five_minute USING btree (starts_at);
CREATE INDEX readings_five_minute_before_starts_at ON public.readings_five_minute_before USING btree (starts_at);
CREATE INDEX readings_five_minute_default_starts_at_idx ON public.readings_five_minute_default USING btree (starts_at);
CREATE INDEX readings_hourly_starts_at ON ONLY public.readings_hourly USING btree (starts_at);
CREATE INDEX readings_hourly_before_starts_at ON public.readings_hourly_before USING btree (starts_at);
CREATE INDEX readings_hourly_default_starts_at_idx ON public.readings_hourly_default USING btree (starts_at);
CREATE INDEX room_slots_ends_at ON public.room_slots USING btree (ends_at);
CREATE INDEX rooms_fitted_at ON public.rooms USING btree (fitted_at);
CREATE INDEX rooms_sensor_id ON public.rooms USING btree (building_id, sensor_id);
CREATE INDEX "session_user" ON public.session USING btree ("userId");
CREATE INDEX tellings_alert ON public.tellings USING btree (alert_id);
CREATE INDEX tellings_device ON public.tellings USING btree (device_id);
CREATE INDEX tellings_due ON public.tellings USING btree (due_at);
CREATE INDEX two_factor_user ON public."twoFactor" USING btree ("userId");
CREATE INDEX valve_windows_started_at ON ONLY public.valve_windows USING btree (started_at);
CREATE INDEX valve_windows_before_started_at ON public.valve_windows_before USING btree (started_at);
CREATE INDEX valve_windows_default_started_at_idx ON public.valve_windows_default USING btree (started_at);
CREATE INDEX valves_room ON public.valves USING btree (room_id);
CREATE INDEX verification_identifier ON public.verification USING btree (identifier);
ALTER INDEX public.decisions_decided_at ATTACH PARTITION public.decisions_before_decided_at;
ALTER INDEX public.decisions_at ATTACH PARTITION public.decisions_before_once;
ALTER INDEX public.decisions_decided_at ATTACH PARTITION public.decisions_default_decided_at_idx;
ALTER INDEX public.decisions_at ATTACH PARTITION public.decisions_default_pkey;
ALTER INDEX public.readings_measured_at ATTACH PARTITION public.readings_before_measured_at;
ALTER INDEX public.readings_once ATTACH PARTITION public.readings_before_once;
ALTER INDEX public.readings_measured_at ATTACH PARTITION public.readings_default_measured_at_idx;
ALTER INDEX public.readings_once ATTACH PARTITION public.readings_default_pkey;
ALTER INDEX public.readings_five_minute_once ATTACH PARTITION public.readings_five_minute_before_once;
ALTER INDEX public.readings_five_minute_starts_at ATTACH PARTITION public.readings_five_minute_before_starts_at;
ALTER INDEX public.readings_five_minute_once ATTACH PARTITION public.readings_five_minute_default_pkey;
ALTER INDEX public.readings_five_minute_starts_at ATTACH PARTITION public.readings_five_minute_default_starts_at_idx;
ALTER INDEX public.readings_hourly_once ATTACH PARTITION public.readings_hourly_before_once;
ALTER INDEX public.readings_hourly_starts_at ATTACH PARTITION public.readings_hourly_before_starts_at;
ALTER INDEX public.readings_hourly_once ATTACH PARTITION public.readings_hourly_default_pkey;
ALTER INDEX public.readings_hourly_starts_at ATTACH PARTITION public.readings_hourly_default_starts_at_idx;
ALTER INDEX public.valve_windows_once ATTACH PARTITION public.valve_windows_before_once;
ALTER INDEX public.valve_windows_started_at ATTACH PARTITION public.valve_windows_before_started_at;
ALTER INDEX public.valve_windows_once ATTACH PARTITION public.valve_windows_default_pkey;
ALTER INDEX public.valve_windows_started_at ATTACH PARTITION public.valve_windows_default_started_at_idx;
CREATE TRIGGER tell_building AFTER INSERT OR DELETE OR UPDATE OF revised_at ON public.buildings FOR EACH ROW EXECUTE FUNCTION public.hypocaust_tell_building();
CREATE TRIGGER tell_key AFTER INSERT OR DELETE OR UPDATE OF revoked_at ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.hypocaust_tell_key();
ALTER TABLE ONLY public.account
    ADD CONSTRAINT "account_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_building_id_fkey FOREIGN KEY (building_id) REFERENCES public.buildings(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.buildings
    ADD CONSTRAINT buildings_account_id_fkey FOREIGN KEY (account_id) REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.control_states
    ADD CONSTRAINT control_states_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id) ON DELETE CASCADE;
ALTER TABLE public.decisions
    ADD CONSTRAINT decisions_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.gateway_messages
    ADD CONSTRAINT gateway_messages_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES public.gateways(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.gateways
    ADD CONSTRAINT gateways_building_id_fkey FOREIGN KEY (building_id) REFERENCES public.buildings(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.matter_bridges
    ADD CONSTRAINT matter_bridges_building_id_fkey FOREIGN KEY (building_id) REFERENCES public.buildings(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notification_choices
    ADD CONSTRAINT notification_choices_account_id_fkey FOREIGN KEY (account_id) REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.pairing_codes
    ADD CONSTRAINT pairing_codes_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES public.gateways(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT "passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.push_devices
    ADD CONSTRAINT push_devices_account_id_fkey FOREIGN KEY (account_id) REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.push_devices
    ADD CONSTRAINT push_devices_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.session(id) ON DELETE CASCADE;
ALTER TABLE public.readings_five_minute
    ADD CONSTRAINT readings_five_minute_sensor_id_fkey FOREIGN KEY (sensor_id) REFERENCES public.sensors(id) ON DELETE CASCADE;
ALTER TABLE public.readings_hourly
    ADD CONSTRAINT readings_hourly_sensor_id_fkey FOREIGN KEY (sensor_id) REFERENCES public.sensors(id) ON DELETE CASCADE;
ALTER TABLE public.readings
    ADD CONSTRAINT readings_sensor FOREIGN KEY (building_id, sensor_id) REFERENCES public.sensors(building_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.room_slots
    ADD CONSTRAINT room_slots_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_building_id_fkey FOREIGN KEY (building_id) REFERENCES public.buildings(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_floor_sensor FOREIGN KEY (building_id, floor_sensor_id) REFERENCES public.sensors(building_id, id);
ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_sensor FOREIGN KEY (building_id, sensor_id) REFERENCES public.sensors(building_id, id);
ALTER TABLE ONLY public.sensors
    ADD CONSTRAINT sensors_building_id_fkey FOREIGN KEY (building_id) REFERENCES public.buildings(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.session
    ADD CONSTRAINT "session_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tellings
    ADD CONSTRAINT tellings_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES public.alerts(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tellings
    ADD CONSTRAINT tellings_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.push_devices(id) ON DELETE CASCADE;
ALTER TABLE ONLY public."twoFactor"
    ADD CONSTRAINT "twoFactor_userId_fkey" FOREIGN KEY ("userId") REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE public.valve_windows
    ADD CONSTRAINT valve_windows_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES public.gateways(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.valves
    ADD CONSTRAINT valves_gateway_id_fkey FOREIGN KEY (gateway_id) REFERENCES public.gateways(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.valves
    ADD CONSTRAINT valves_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.weather
    ADD CONSTRAINT weather_building_id_fkey FOREIGN KEY (building_id) REFERENCES public.buildings(id) ON DELETE CASCADE;
