#ifndef TESTS_CSR_H
#define TESTS_CSR_H 1

/* A certificate request, as openssl req makes one: its PEM in base64, as
 * objects hold it. */
#define CSR_REQUEST                                                           \
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHTE1EOENBUUF3RE"      \
    "RFS01BZ0dBMVVFQXd3QllUQXFNQVVHQXl0bGNBTWhBSThhQ1FrY3hTOWdmbHZLdXFB"      \
    "cQpHYitaWTNuZ1JLV0kvSmtKTUVZNXZTS2RvQUF3QlFZREsyVndBMEVBbSsyKzh3T0"      \
    "l4UzN3aHpuWGJvZ0lwelBRCndHU1Q5MjU0dzRVK1AzVE5QeUM3dlJ3N01FNkFySk5x"      \
    "SDZHUmNzd2phWEFVcndFYXZxZDM1Zmc0bHA4Z0JRPT0KLS0tLS1FTkQgQ0VSVElGSU"      \
    "NBVEUgUkVRVUVTVC0tLS0tCg=="

#endif /* tests/csr.h */
