import { expect, test } from "vitest";
import type { DiagramSize } from "./diagram-sizes.ts";
import { likelyDiagramSize } from "./likely-diagram-size.ts";

// As drawn in Chromium by what draws diagrams here: width and height in px.
const drawn: readonly (readonly [number, number, string])[] = [
  [
    416,
    867,
    `flowchart TD
  A[User opens the app] --> B{Is logged in?}
  B -->|Yes| C[Show dashboard]
  B -->|No| D[Show login page]
  D --> E[Enter credentials]
  E --> F{Valid?}
  F -->|Yes| C
  F -->|No| G[Show error]
  G --> D`,
  ],
  [
    474,
    605,
    `flowchart TB
  subgraph Client
    UI[Web UI]
    Mobile[Mobile App]
  end
  subgraph Backend
    API[API Gateway]
    Auth[Auth Service]
    Orders[Order Service]
  end
  subgraph Data
    DB[(PostgreSQL)]
    Cache[(Redis)]
  end
  UI --> API
  Mobile --> API
  API --> Auth
  API --> Orders
  Orders --> DB
  Auth --> Cache`,
  ],
  [
    416,
    875,
    `graph TD
  A["Receive the request"] --> B["Parse headers"]
  B --> C["Authenticate"]
  C --> D{"Authorised?"}
  D -- yes --> E["Load the resource"]
  D -- no --> F["403"]
  E --> G["Transform"]
  G --> H["Serialise"]
  H --> I["Respond"]
  F --> I`,
  ],
  [
    416,
    234,
    `graph TD;
  A-->B;
  A-->C;
  B-->D;
  C-->D;`,
  ],
  [
    636,
    62,
    `flowchart LR
  A[Input] --> B[Process]
  B --> C[Output]`,
  ],
  [
    811,
    234,
    `graph LR
  A[Client] --> B[Load Balancer]
  B --> C[Server 1]
  B --> D[Server 2]
  B --> E[Server 3]
  C --> F[(Database)]
  D --> F
  E --> F`,
  ],
  [
    1161,
    154,
    `flowchart LR
  subgraph Frontend
    A[React app]
    B[State store]
  end
  subgraph Backend
    C[REST API]
    D[Worker]
  end
  A --> B --> C
  C --> D
  D --> E[(Database)]
  C --> E`,
  ],
  [
    856,
    752,
    `sequenceDiagram
  actor User
  participant Browser
  participant Server
  participant Auth as Auth Service
  User->>Browser: Enter credentials
  Browser->>Server: POST /login
  Server->>Auth: Validate
  alt valid
    Auth-->>Server: OK
    Server-->>Browser: 200 + cookie
    Browser-->>User: Show dashboard
  else invalid
    Auth-->>Server: Denied
    Server-->>Browser: 401
    Browser-->>User: Show error
  end
  Note over Browser,Server: TLS all the way`,
  ],
  [
    514,
    315,
    `sequenceDiagram
  Alice->>Bob: Hello Bob, how are you?
  Bob-->>Alice: Great!
  Alice-)Bob: See you later!`,
  ],
  [
    340,
    315,
    `classDiagram
  class Animal {
    +String name
    +int age
    +makeSound() void
  }
  class Dog {
    +String breed
    +bark() void
  }
  class Cat {
    +bool indoor
    +meow() void
  }
  Animal <|-- Dog
  Animal <|-- Cat`,
  ],
  [
    181,
    769,
    `classDiagram
  class Order {
    +int id
    +Date createdAt
    +Status status
    +total() Money
  }
  class Customer {
    +String name
    +String email
  }
  class LineItem {
    +int quantity
    +Money price
  }
  class Product {
    +String sku
    +String title
  }
  Customer "1" --> "*" Order : places
  Order *-- LineItem
  LineItem --> Product`,
  ],
  [
    328,
    420,
    `stateDiagram-v2
  [*] --> Idle
  Idle --> Loading : fetch
  Loading --> Success : resolve
  Loading --> Failure : reject
  Success --> Idle : reset
  Failure --> Loading : retry
  Success --> [*]`,
  ],
  [
    612,
    48,
    `stateDiagram-v2
  direction LR
  [*] --> Draft
  Draft --> Review
  Review --> Published
  Published --> [*]`,
  ],
  [
    239,
    668,
    `erDiagram
  CUSTOMER ||--o{ ORDER : places
  ORDER ||--|{ LINE_ITEM : contains
  CUSTOMER {
    int id PK
    string name
    string email
  }
  ORDER {
    int id PK
    date created_at
    int customer_id FK
  }
  LINE_ITEM {
    int id PK
    int order_id FK
    int quantity
    float price
  }`,
  ],
  [
    269,
    444,
    `erDiagram
  USER ||--o{ POST : writes
  USER ||--o{ COMMENT : writes
  POST ||--o{ COMMENT : has
  POST }o--o{ TAG : tagged`,
  ],
  [
    984,
    220,
    `gantt
  title Project plan
  dateFormat YYYY-MM-DD
  section Design
  Research       :a1, 2024-01-01, 10d
  Wireframes     :after a1, 7d
  section Build
  Backend        :b1, 2024-01-15, 20d
  Frontend       :after b1, 15d
  section Test
  QA             :2024-02-20, 10d`,
  ],
  [
    548,
    450,
    `pie title Pets adopted by volunteers
  "Dogs" : 386
  "Cats" : 85
  "Rats" : 15`,
  ],
  [
    630,
    370,
    `mindmap
 root((Project))
  Planning
   Goals
   Budget
   Timeline
  Team
   Developers
   Designers
  Risks
   Scope creep
   Delays`,
  ],
  [
    1390,
    694,
    `timeline
  title Development of the project
  section Phase 1
   January : Kick-off : Team assembled
   February : Requirements gathered
  section Phase 2
   March : First prototype : User tests : Feedback collected
   April : Beta release
   May : Public launch`,
  ],
  [
    508,
    256,
    `gitGraph
  commit id: "init"
  branch feature/login
  commit id: "form"
  commit id: "validation"
  checkout main
  branch hotfix
  commit id: "fix"
  checkout main
  merge hotfix tag: "v1.0.1"
  merge feature/login
  commit id: "release" tag: "v1.1"`,
  ],
  [
    1300,
    540,
    `journey
  title My working day
  section Go to work
   Make tea: 5: Me
   Go upstairs: 3: Me
   Do work: 1: Me, Cat
  section Go home
   Go downstairs: 5: Me
   Sit down: 5: Me`,
  ],
  [
    416,
    768,
    `flowchart TD
  Start([Start]) --> Input[/Read user input/]
  Input --> Check{Is input valid?}
  Check -- Yes --> Process[Process the data]
  Check -- No --> Err[Show an error message]
  Err --> Input
  Process --> Save[(Save to database)]
  Save --> Notify[Send notification]
  Notify --> End([End])`,
  ],
  [
    1343,
    249,
    `graph LR
  subgraph "Developer machine"
   A[Write code] --> B[Commit]
  end
  subgraph CI["CI server"]
   C[Run tests] --> D{Pass?}
   D -->|yes| E[Build image]
   D -->|no| F[Notify author]
  end
  B --> C
  E --> G((Registry))
  classDef green fill:#9f6
  class E green`,
  ],
  [
    636,
    609,
    `flowchart TB
  A[Question] -.-> B(Tokenizer)
  B ==> C{{Embedding}}
  C --> D & E & F
  D[Head 1] --> G[Concat]
  E[Head 2] --> G
  F[Head 3] --> G
  G --> H[Feed forward network with residuals]
  H --> I["Output: softmax(x)"]`,
  ],
  [
    912,
    691,
    `sequenceDiagram
  title OAuth flow
  participant U as User
  participant C as Client App
  participant A as Authorization Server
  participant R as Resource Server
  U->>C: Click "Log in"
  C->>A: Authorization request
  A->>U: Login page
  U->>A: Credentials + consent
  A-->>C: Authorization code
  C->>A: Code + client secret
  A-->>C: Access token
  C->>R: Request with token
  R-->>C: Protected resource
  C-->>U: Show data`,
  ],
  [
    331,
    578,
    `classDiagram
  class Subject {
    <<interface>>
    +attach(Observer o)
    +detach(Observer o)
    +notify()
  }
  class Observer {
    <<interface>>
    +update()
  }
  class ConcreteSubject
  class ConcreteObserver
  Subject <|.. ConcreteSubject
  Observer <|.. ConcreteObserver
  ConcreteSubject --> ConcreteObserver : observes`,
  ],
  [
    538,
    570,
    `erDiagram
  AUTHOR ||--o{ BOOK : "writes many"
  BOOK }|..|{ CATEGORY : "belongs to"
  BOOK ||--o{ LOAN : has
  MEMBER ||--o{ LOAN : makes
  AUTHOR {
    int id PK
    varchar name
  }
  BOOK {
    int id PK
    varchar title
    int author_id FK
    date published
  }
  MEMBER {
    int id PK
    varchar email UK "unique"
  }`,
  ],
  [
    599,
    354,
    `mindmap
  root((Project))
    Planning
      Goals
      Timeline
    Design
      Wireframes
      Mockups
    Development
      Frontend
      Backend
    Testing`,
  ],
  [
    683,
    524,
    `mindmap
  root((机器学习))
    监督学习
      分类
        决策树
        支持向量机
      回归
        线性回归
    无监督学习
      聚类
        K均值
      降维
        主成分分析
    强化学习
      Q学习
      策略梯度`,
  ],
  [
    221,
    196,
    `mindmap
  Root
    A
    B
    C`,
  ],
  [
    390,
    303,
    `mindmap
  root((Healthy habits))
    Sleep
    Exercise
    Food
    Water
    Friends
    Rest`,
  ],
  [
    938,
    484,
    `mindmap
  root((Web Development))
    Frontend
      HTML
      CSS
      JavaScript
        React
        Vue
        Angular
    Backend
      Node.js
      Python
        Django
        Flask
      Java
        Spring
    Database
      SQL
        PostgreSQL
        MySQL
      NoSQL
        MongoDB
        Redis
    DevOps
      Docker
      Kubernetes
      CI/CD`,
  ],
  [
    801,
    514,
    `mindmap
  root((Climate change))
    Causes
      Fossil fuels
      Deforestation
      Agriculture
    Effects
      Rising sea levels
      Extreme weather
      Loss of biodiversity
    Solutions
      Renewable energy
        Solar
        Wind
        Hydro
      Policy
        Carbon tax
        Regulation
      Individual action`,
  ],
  [
    797,
    463,
    `mindmap
  root((Learning a language))
    Listening
      Podcasts
      Films with subtitles
    Speaking
      A tandem partner
      Reading aloud
    Reading
      Short stories
      News
    Writing
      A diary in the language
      Messages to friends
    Grammar
      One rule each day`,
  ],
  [
    793,
    464,
    `mindmap
  root((Software testing))
    Unit
      Fast
      Isolated
    Integration
      Database
      Network
    End to end
      Browser
    Performance
      Load
      Stress
      Soak
    Security
      Static analysis
      Penetration test
    Manual
      Exploratory`,
  ],
  [
    799,
    435,
    `mindmap
  root((Kubernetes))
    id1[Control plane]
      API server
      etcd
      Scheduler
      Controller manager
    id2[Nodes]
      kubelet
      kube-proxy
      Container runtime
    id3(Objects)
      Pod
      Service
      Deployment
      ConfigMap`,
  ],
  [
    320,
    741,
    `stateDiagram-v2
  [*] --> Active
  state Active {
    [*] --> NumLockOff
    NumLockOff --> NumLockOn : EvNumLockPressed
    NumLockOn --> NumLockOff : EvNumLockPressed
    --
    [*] --> CapsLockOff
    CapsLockOff --> CapsLockOn : EvCapsLockPressed
    CapsLockOn --> CapsLockOff : EvCapsLockPressed
  }`,
  ],
  [
    246,
    529,
    `stateDiagram-v2
  [*] --> Green
  Green --> Yellow : 30 s
  Yellow --> Red : 5 s
  Red --> Green : 25 s
  note right of Red
    Cars wait
  end note`,
  ],
  [
    311,
    895,
    `stateDiagram-v2
  [*] --> LoggedOut
  LoggedOut --> LoggingIn : submit
  LoggingIn --> LoggedIn : success
  LoggingIn --> LoggedOut : failure
  state LoggedIn {
    [*] --> Browsing
    Browsing --> Editing : edit
    Editing --> Saving : save
    Saving --> Browsing : saved
  }
  LoggedIn --> LoggedOut : log out
  LoggedIn --> Expired : timeout
  Expired --> LoggedOut`,
  ],
  [
    390,
    211,
    `stateDiagram-v2
  A --> B
  note left of B : Words`,
  ],
  [
    390,
    273,
    `stateDiagram-v2
  A --> B
  note right of A
    One
    Two
    Three
  end note`,
  ],
  [
    200,
    367,
    `stateDiagram-v2
  state A {
    x --> y
  }
  A --> B
  state B {
    z --> w
  }`,
  ],
];

/** The room of the text in a reply, at a desk and on a phone. */
const columns = [700, 324];

/** What a drawing as wide as the column, or shrunk to be still readable, takes: as in code-block.module.css. */
function shownHeight({ width, height }: DiagramSize, column: number): number {
  return height * Math.min(1, Math.max(column / width, 0.7));
}

test.each(drawn.map(([width, height, source]) => ({ source, width, height })))(
  "$width × $height px are about foreseen for $source",
  ({ source, ...size }) => {
    const likely = likelyDiagramSize(source) ?? { width: 0, height: 0 };
    for (const column of columns) {
      const share = shownHeight(likely, column) / shownHeight(size, column);
      expect(share).toBeGreaterThan(0.7);
      expect(share).toBeLessThan(1.25);
    }
  },
);

test("settings and remarks before a diagram count for nothing, but for a title", () => {
  const plain = likelyDiagramSize("flowchart LR\n  A --> B");
  expect(likelyDiagramSize('%%{init: {"theme": "forest"}}%%\n%% why\nflowchart LR\n  A --> B')).toEqual(
    plain,
  );
  const titled = likelyDiagramSize("---\ntitle: Two\n---\nflowchart LR\n  A --> B");
  expect(titled?.height).toBe((plain?.height ?? 0) + 54);
});

test.each(["", "no diagram -->", "sankey-beta\na,b,1", "flowchart TD", `pie\n"a": ${"1".repeat(50_000)}`])(
  "of what is not drawn, or of a kind that was not measured, no size is foreseen: %.20s",
  (source) => {
    expect(likelyDiagramSize(source)).toBeNull();
  },
);

test("a graph of more lines than are drawn has no size", () => {
  const lines = Array.from({ length: 501 }, (_, index) => `A${index} --> A${index + 1}`);
  expect(likelyDiagramSize(`flowchart TD\n${lines.join("\n")}`)).toBeNull();
});

test("states with many parts beside each other, or frames deep in each other, have no size: they take too long, or are not drawn", () => {
  const states = Array.from({ length: 300 }, (_, index) => `  s${index} : x`).join("\n");
  expect(likelyDiagramSize(`stateDiagram-v2\nstate F {\n${states}\n}`)).not.toBeNull();
  expect(likelyDiagramSize(`stateDiagram-v2\nstate F {\n${states}\n${"--\n".repeat(300)}}`)).toBeNull();
  const deep = (depth: number) =>
    Array.from({ length: depth }, (_, index) => `state F${index} {\na${index} : x`).join("\n");
  expect(likelyDiagramSize(`stateDiagram-v2\n${deep(12)}`)).not.toBeNull();
  expect(likelyDiagramSize(`stateDiagram-v2\n${deep(13)}`)).toBeNull();
});

test.each(["A[", "A -- ", "A & ", '"', "{", "A --> B; ", "|", "\n---"])(
  "a long source of %j alone is looked through in no time",
  (part) => {
    const started = performance.now();
    for (const head of ["flowchart TD\n", "classDiagram\n", "sequenceDiagram\n", "mindmap\n", "---\n"])
      likelyDiagramSize((head + part.repeat(50_000)).slice(0, 50_000));
    expect(performance.now() - started).toBeLessThan(500);
  },
);
