// The whole application on a temporary database, with a scripted model and a mailer that keeps its codes.
import { ProcessConversationReader } from "../src/adapters/conversation-reader/process-conversation-reader.ts";
import { ProcessDocumentReader } from "../src/adapters/document-reader/process-document-reader.ts";
import { join } from "node:path";
import { createFolderObjectStore } from "../src/adapters/object-store/folder-object-store.ts";
import { createApp, type App } from "../src/app.ts";
import { type Config, readConfig } from "../src/config.ts";
import type { GuardedFetch } from "../src/platform/http/guarded-fetch.ts";
import type { HttpLimits } from "../src/platform/http/http-limits.ts";
import type { Database } from "../src/platform/database/database.ts";
import { createLogger, type Logger } from "../src/platform/logger.ts";
import { type Clock, systemClock } from "../src/ports/clock.ts";
import type { ContentFilter } from "../src/ports/content-filter.ts";
import type { ConversationReader } from "../src/ports/conversation-reader.ts";
import type { OpenIdProvider, WechatLogin } from "../src/ports/identity-provider.ts";
import type { DocumentReader } from "../src/ports/document-reader.ts";
import type { IpRegions } from "../src/ports/ip-regions.ts";
import type { CaptchaVerifier } from "../src/ports/captcha-verifier.ts";
import type { CodeMail, NoticeMail } from "../src/ports/mailer.ts";
import type { ModelProvider } from "../src/ports/model-provider.ts";
import type { RiskClassifier } from "../src/ports/risk-classifier.ts";
import type { SearchProvider } from "../src/ports/search-provider.ts";
import type { CodeText, NoticeText } from "../src/ports/sms-sender.ts";
import { createScriptedModel, type ScriptedModel } from "./scripted-model.ts";
import { createTestClient, type TestClient } from "./test-client.ts";
import { type Engine, openTestDatabase, type TestDatabase } from "./test-databases.ts";

export interface TestAppOptions {
  engine?: Engine;
  /** Settings on top of those of tests, by their names. */
  settings?: Record<string, string>;
  /** The configuration itself, on top of the settings. */
  config?: Partial<Config>;
  /** Another replica: on the data of an app that runs. Only PostgreSQL takes a second one. */
  beside?: TestApp;
  clock?: Clock;
  /** Another log than the silent one. */
  log?: Logger;
  /** What sends mail. By default the outbox does, which is no mail server. */
  mailerKind?: "smtp" | "outbox";
  /** Called before a code is kept in `mails`; what it throws is what the mail server answers. */
  onMail?: (mail: CodeMail) => void;
  /** The same of a text message, kept in `texts`. */
  onText?: (text: CodeText) => void;
  /** The same of a notice, by mail or text message, kept in `notices`. */
  onNotice?: (notice: NoticeMail) => void;
  captcha?: CaptchaVerifier;
  model?: ScriptedModel;
  /** Another model than the scripted one. */
  provider?: ModelProvider;
  contentFilter?: ContentFilter;
  /** Another reader than that of plain texts. */
  documentReader?: DocumentReader;
  conversationReader?: ConversationReader;
  riskClassifier?: RiskClassifier;
  google?: OpenIdProvider;
  wechat?: WechatLogin;
  search?: SearchProvider;
  fetchOutside?: GuardedFetch;
  /** Another than one that knows no region. */
  ipRegions?: IpRegions;
  webRoot?: string;
  httpLimits?: Partial<HttpLimits>;
}

export interface TestApp {
  app: App;
  config: Config;
  db: Database;
  database: TestDatabase;
  model: ScriptedModel;
  /** Codes sent, oldest first. */
  mails: CodeMail[];
  texts: CodeText[];
  /** Notices sent, by mail (`to` is an address) and by text message, oldest first. */
  notices: NoticeMail[];
  /** Where it listens: `http://127.0.0.1:port`. */
  address: string;
  /** A new client: anonymous, or signed in as a person is at another application on the same data. */
  client(person?: TestClient): TestClient;
  /** A new client of a new account. */
  signedIn(): Promise<TestClient>;
  /** Ends the app as SIGTERM does, without the wait, and removes the data unless another app uses it. */
  close(): Promise<void>;
}

/** Puzzles are tiny and rate classes off, unless `settings` say otherwise. */
const settingsOfTests = {
  RATE_LIMITS: "off",
  MESSAGES_PER_MINUTE: "100000",
  POW_DIFFICULTY: "10",
  POW_DIFFICULTY_UPLOAD: "10",
  POW_DIFFICULTY_GUEST: "10",
  SECRET_KEY: "a key for tests only",
  LOG_LEVEL: "silent",
  CAPTCHA: "none",
};

/** Started and listening on a free port. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { engine = "sqlite", beside, clock = systemClock, model = createScriptedModel() } = options;
  const database = beside?.database ?? (await openTestDatabase(engine));
  const db = beside === undefined ? database.db : await database.openAnother();
  const config: Config = {
    ...readConfig({
      ...settingsOfTests,
      DATA_DIR: database.dataDir,
      ...(database.databaseUrl === null ? {} : { DATABASE_URL: database.databaseUrl }),
      ...options.settings,
    }),
    ...options.config,
  };
  const log = options.log ?? createLogger(config.logLevel);
  const mails: CodeMail[] = [];
  const notices: NoticeMail[] = [];
  const mailer = {
    kind: options.mailerKind ?? "outbox",
    sendCode: async (mail: CodeMail) => {
      options.onMail?.(mail);
      mails.push(mail);
    },
    sendNotice: async (mail: NoticeMail) => {
      options.onNotice?.(mail);
      notices.push(mail);
    },
    close: async () => {},
  };
  const texts: CodeText[] = [];
  const smsSender = {
    kind: "webhook" as const,
    sendCode: async (text: CodeText) => {
      options.onText?.(text);
      texts.push(text);
    },
    sendNotice: async (text: NoticeText) => {
      options.onNotice?.(text);
      notices.push(text);
    },
    close: async () => {},
  };
  const app = await createApp(
    config,
    {
      clock,
      model: options.provider ?? model,
      mailer,
      smsSender,
      captcha: options.captcha ?? null,
      contentFilter: options.contentFilter ?? null,
      conversationReader: options.conversationReader ?? new ProcessConversationReader(),
      documentReader: options.documentReader ?? new ProcessDocumentReader(),
      google: options.google ?? null,
      wechat: options.wechat ?? null,
      ipRegions: options.ipRegions ?? { regionOf: () => null },
      objectStore: createFolderObjectStore(join(config.dataDir, "objects")),
      riskClassifier: options.riskClassifier ?? null,
      search: options.search ?? null,
    },
    {
      db,
      log,
      ...(options.webRoot === undefined ? {} : { webRoot: options.webRoot }),
      ...(options.fetchOutside === undefined ? {} : { fetchOutside: options.fetchOutside }),
      ...(options.httpLimits === undefined ? {} : { httpLimits: options.httpLimits }),
    },
  );
  await app.start();
  const address = await app.fastify.listen({ host: "127.0.0.1", port: 0 });

  function client(person?: TestClient): TestClient {
    const made = createTestClient({
      address,
      lastCode(email) {
        const mail = mails.findLast((one) => one.to === email);
        if (mail === undefined) throw new Error(`no code was sent to ${email}`);
        return mail.code;
      },
    });
    made.token = person?.token ?? null;
    made.user = person?.user ?? null;
    return made;
  }

  return {
    app,
    config,
    db,
    database,
    model,
    mails,
    texts,
    notices,
    address,
    client,
    async signedIn() {
      const person = client();
      await person.signUp();
      return person;
    },
    async close() {
      await app.drain(0);
      await app.close();
      if (beside === undefined) await database.close();
      else await db.close();
    },
  };
}
